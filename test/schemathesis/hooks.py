"""What Schemathesis reports of this system by design: each answer by its words, with the reason."""

import re
from urllib.parse import parse_qs, urlsplit

import schemathesis
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation

ACCEPTED = "Schema-violating request accepted"
REFUSED = "Schema-valid request rejected"
GUESTS = r"GET /api/cart|(POST|PATCH|DELETE) /api/cart/(clear|items.*)|PUT /api/cart/sync"
IMPORTS = r"POST /catalog/(import/\{vendor\}|interchange)"
DATED = r"(GET|POST) /api/((health-)?analytics/.*|(admin/)?orders(/.*)?|admin/audit|admin/export/.*)"

# The failure; the operations; what is answered.
BY_DESIGN = [
    # Of parameters that exclude or bound each other no schema of parameters can tell; their descriptions do.
    (REFUSED, r"GET /api/ai/(equipment|diagrams)", r"fields 'model' and 'part'"),
    (REFUSED, r"GET /api/search", r"'page' field must not go deeper than"),
    # A number in a query is written without an exponent.
    (REFUSED, r"GET /api/(search|filters)", r"'(min|max)Price' field must be a number"),
    (REFUSED, r"GET /api/(search|filters)", r"'minPrice' field must not be above 'maxPrice'"),
    (REFUSED, DATED, r"'from' field must be .*before 'to'"),
    (REFUSED, r"GET /api/(health-)?analytics/.*", r"'interval' field must be longer for this period"),
    # Synonyms are a language of their own.
    (REFUSED, r"(PUT|POST) /api/admin/search/synonyms/\{language\}(/trial)?", r"field has (one|an empty|more)"),
    # Neither can a schema tell of lines that must agree with each other, or with the catalog.
    (REFUSED, r"\w+ /api/(cart|checkout|payment-intent).*", r"must be that of the other line with the same productId"),
    (REFUSED, r"\w+ /api/(cart|checkout|payment-intent).*", r"must not bring the product's quantity above"),
    (REFUSED, r"POST /api/(checkout/session|payment-intent|shipping/quotes)", r"is not in the catalog|Price changed for"),
    (REFUSED, r"POST /api/payment-intent", r"must be at least the cart's subtotal"),
    # A cursor is opaque: only one that an answer had is one.
    (REFUSED, r"GET /api/admin/export/.*", r"'cursor' field must be that of a row"),
    (REFUSED, r"POST /api/admin/orders/search", r"'cursor' field must be the nextCursor"),
    (REFUSED, r"POST /api/process-bucket-pdfs", r"'after' field must be the 'next'"),
    # Where any JSON is taken, its schema is empty: generators of clients stumble over one that holds itself. Null
    # characters, halves of Unicode's pairs, a name that programs take for their own, and endless depth are refused.
    (REFUSED, r".*", r"null characters or broken Unicode|__proto__' field is not allowed|is nested too deep"),
    # Which names vendors have, and in which alphabet a name has a letter, no schema can tell.
    (REFUSED, r"PUT /api/admin/vendors/\{code\}", r"is the code of|is a name of|must have a letter or digit"),
    # Which events there are is known to the running system; /asyncapi.json lists them.
    (REFUSED, r"(POST|PATCH) /api/admin/webhooks.*", r"'eventTypes\[\d+\]' field must be one of"),
    # Which countries there are, and which codes their states and places have, is known to their tables.
    (REFUSED, r"POST /api/shipping/quotes", r"'destination\.\w+' field must be"),
    # Where the log ends is known to the log alone.
    (REFUSED, r"GET /events", r"must not be beyond the newest event"),
    # So is which type an aggregate has.
    (REFUSED, r"POST /(events|store)", r"Aggregate .* is of the type"),
    # What is a URL or a date is for their parsers to say, and what is in the future for the clock.
    (REFUSED, r"POST /api/checkout/session", r"'(success|cancel)Url' field must be an http\(s\) URL"),
    (REFUSED, r"(POST|PATCH) /api/admin/webhooks.*", r"'url' field must begin with https://"),
    (REFUSED, r"POST /api/admin/keys", r"'expiresAt' field must be in the future"),
    # Which ETag a file has is known to the file.
    (REFUSED, r"GET /api/(manuals|media)/.*", r"another ETag than If-Match names"),
    # For \p{M} the generator takes whole blocks, with characters that Unicode has not assigned.
    (REFUSED, r".*", r"field must be an e-mail address"),
    # A signature over the exact text decides.
    (REFUSED, r"POST /webhooks/\w+", r"INVALID_SIGNATURE"),
    # Algolia's own language stands in open records, and in texts that hold JSON; what an index or a facet is called is
    # refused by name and not as a path, as its clients expect.
    (REFUSED, r"POST /(1/indexes|api/search/instantsearch).*", r'"field":"(?!x-algolia|objectID)|INVALID_JSON'),
    # A folder that the system keeps its own files in.
    (REFUSED, r"POST /api/process-bucket-pdfs", r"a folder that the system itself keeps files in"),
    # Files are judged by their formats, not by their types alone.
    (REFUSED, r"PUT /api/media", r"The body must be the image|The body is not an image"),
    (REFUSED, r"POST /api/upload-pdf", r"'file' field (must be a file|is required)"),
    (REFUSED, IMPORTS, r"The file (is empty|has no column)|\"field\":\"body\""),
    (ACCEPTED, IMPORTS, r'^\{"read":'),
    # Only what is priced through the dealer is refreshed there: a vendor's code does not tell.
    (REFUSED, r"POST /catalog/refresh/\{vendor\}", r"not through the dealer inventory system"),
    # The specification has the caller's own cart answer 404 here, and 200 on the cart's own address.
    ("Wrong response to undeclared method", r"POST /api/cart", r"There is nothing at this path"),
    # X-Session-Id is a credential that a guest's client makes up: any text of its form is one, where it is taken.
    ("API accepts invalid authentication", GUESTS, r"^\{\"success\":true"),
    ("Unexpected response to invalid authentication", GUESTS, r"Cart item not found"),
    # A DELETE cancels a job, which can still be asked for.
    ("Deleted resource still available", r"GET /api/jobs/\{batch_id\}.*", r""),
    # It is the card that is not found, not the customer that was just made.
    ("Created resource not found", r"PUT /api/customers/\{id\}/default-payment-method", r"Payment method not found"),
]


def without_nothing(value):
    """What a lenient reader sees: null and, in some fields, "" count as absent, and so does an empty value of a query."""
    if isinstance(value, dict):
        return {name: without_nothing(field) for name, field in value.items() if field not in (None, "")}
    return [without_nothing(item) for item in value] if isinstance(value, list) else value


def read_query_value(value, schema):
    """A value of a query as it is read: a list without empty values, a boolean by its name."""
    if isinstance(value, list):
        return [item for item in value if item not in (None, "")]
    return value == "true" if schema.get("type") == "boolean" and value in ("true", "false") else value


def is_read_leniently(case, response):
    """Whether a request is valid as the product reads it: without nulls, empty values and read-only fields."""
    query = case.operation.get_parameter_set(ParameterLocation.QUERY)
    if case.operation.method.upper() == "GET" and case.query and query:
        schemas = query.schema["properties"]
        # The names that have a text.
        names = parse_qs(urlsplit(response.request.url).query)
        values = {name: value for name, value in case.query.items() if name in names}
        sent = {name: read_query_value(value, schemas.get(name, {})) for name, value in values.items()}
        return sent != case.query and query.get_strict_validator().is_valid(sent)
    body = case.operation.get_body_for_media_type(case.media_type) if case.media_type else None
    if body is None:
        return False
    read = without_nothing(case.body)
    if isinstance(read, dict):
        fields = body.raw_schema.get("properties", {})
        read = {name: field for name, field in read.items() if not fields.get(name, {}).get("readOnly")}
    if read == case.body:
        return False
    validator = case.operation.schema.adapter.jsonschema_validator_cls
    return make_validator(body.validation_schema, validator).is_valid(read)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if failure.title == ACCEPTED and is_read_leniently(case, response):
        return False
    return not any(
        failure.title == title and re.fullmatch(operation, case.operation.label) and re.search(answer, response.text)
        for title, operation, answer in BY_DESIGN
    )


@schemathesis.serializer(
    "application/pdf", "application/x-ndjson", "application/x-www-form-urlencoded", "text/csv", "text/plain"
)
def text(context, value):
    """A body that is a text for the schema is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode()
