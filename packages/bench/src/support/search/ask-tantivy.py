"""Tantivy on the same parts and queries as the embedded engine, one thread: python3 ask-tantivy.py PARTS.ndjson QUERIES.json (a file named as its module would hide it).
Every query asks for 20 stored documents, the count of all hits, and facets of vendor, category and price ranges. Prints
{"indexingSeconds"}, and for each line that it reads [{"kind", "milliseconds"}] of all queries."""
import json, sys, time
import tantivy
from tantivy import Occur, Query

WARM_UP = 100
builder = tantivy.SchemaBuilder()
builder.add_text_field("title")
builder.add_text_field("description")
builder.add_text_field("number", tokenizer_name="raw")
builder.add_text_field("vendor", tokenizer_name="raw", fast=True)
builder.add_text_field("category", tokenizer_name="raw", fast=True)
builder.add_float_field("price", fast=True, indexed=True)
builder.add_text_field("status", tokenizer_name="raw", fast=True)
builder.add_text_field("document", stored=True)
schema = builder.build()
FACETS = {
    "vendor": {"terms": {"field": "vendor", "size": 50}},
    "category": {"terms": {"field": "category", "size": 50}},
    "price": {"range": {"field": "price", "ranges": [
        {"to": 10.0}, {"from": 10.0, "to": 25.0}, {"from": 25.0, "to": 50.0}, {"from": 50.0, "to": 100.0}, {"from": 100.0}]}},
}


def normalize(number):
    return "".join(character for character in number.upper() if character.isalnum())


def words(text):
    return text.replace("-", " ").replace("/", " ").replace('"', "").split()


def fuzzy(word):
    return Query.fuzzy_term_query(schema, "title", word.lower(), distance=1 if len(word) < 8 else 2, prefix=False)


def any_of(field, values):
    return Query.boolean_query([(Occur.Should, Query.term_query(schema, field, value)) for value in values])


def query_of(kind, query):
    text = query["q"]
    if kind in ("exact number", "number, other spelling"):
        asked = Query.term_query(schema, "number", normalize(text))
    elif kind == "number prefix":
        asked = Query.regex_query(schema, "number", normalize(text) + ".*")
    elif text == "":
        asked = Query.all_query()
    elif kind == "typo":
        asked = Query.boolean_query([(Occur.Must, fuzzy(word)) for word in text.split()])
    else:
        asked = index.parse_query(" ".join("+" + word for word in words(text)), ["title", "description"])
    parts = [(Occur.Must, asked), (Occur.Must, Query.term_query(schema, "status", "active"))]
    for name, field in (("manufacturers", "vendor"), ("categories", "category")):
        if query[name]:
            parts.append((Occur.Must, any_of(field, query[name])))
    return Query.boolean_query(parts)


def search(kind, query):
    asked = query_of(kind, query)
    hits = searcher.search(asked, 20, count=True).hits
    documents = [searcher.doc(address)["document"][0] for _, address in hits]
    return documents, searcher.aggregate(asked, FACETS)


index = tantivy.Index(schema, path=None)
writer = index.writer(200_000_000)
started = time.time()
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        part = json.loads(line)
        row = part["row"]
        writer.add_document(tantivy.Document(
            title=row["title"], description=row["description"], number=normalize(row["part_number"]), vendor=part["vendor"],
            category=row["category"], price=float(row["list_price"] or 0), status=row["status"], document=line))
writer.commit()
writer.wait_merging_threads()
index.reload()
indexing = time.time() - started
searcher = index.searcher()
with open(sys.argv[2], encoding="utf-8") as file:
    queries = json.load(file)
print(json.dumps({"indexingSeconds": indexing}), flush=True)
for each in queries[:WARM_UP]:
    search(each["kind"], each["query"])
for _ in sys.stdin:
    timed = []
    for each in queries:
        started = time.perf_counter()
        search(each["kind"], each["query"])
        timed.append({"kind": each["kind"], "milliseconds": (time.perf_counter() - started) * 1e3})
    print(json.dumps(timed), flush=True)
