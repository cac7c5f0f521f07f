import { deduplicate, SAYS } from "@partline/parts-language/words";
import {
  compareMeasures,
  convert,
  findMeasures,
  formatMeasure,
  getKind,
  isInSerialRange,
  isWithin,
  normalizePartNumber,
} from "@partline/parts-language";
import type { Evidence } from "./evidence.ts";
import type { Facts } from "./facts.ts";
import { listPartMachines } from "./machines.ts";
import { toComparable } from "./parts.ts";
import { isForSale, type FoundPart } from "./port.ts";
import { renderText } from "./texts.ts";

/** Renders yes or no to what a question asks of its parts, as far as that is known. */
export function renderYesNo(evidence: Evidence, facts: Facts): string | undefined {
  return (
    renderSubstitution(evidence, facts) ??
    renderSameness(evidence) ??
    renderStatus(evidence, facts) ??
    renderSerial(evidence, facts) ??
    renderMeasure(evidence, facts)
  );
}

/** `Serial numbers 2015159839 and up`, `1001 to 2000`, `2000 and below`; a dash alone may be a serial number's own. */
const SERIALS =
  /\bserial n\w+\W{1,3}([\dA-Z-]*\d{3}[\dA-Z-]*)(?:(?: (?:to|through|thru|[-–]) |–|(?<=\s\d+)-(?=\d+(?![\dA-Z-])))([\dA-Z-]*\d{3}[\dA-Z-]*)| (?:and|&) (?:(up|above|later)|below|before|earlier))/gi;

/** `Is my serial number covered?` Lists of several machines answer for none. */
function renderSerial({ question: { serial }, findings, texts }: Evidence, facts: Facts): string | undefined {
  const quotes = findings.flatMap((finding) => (finding.item.models.length > 0 ? finding.quotes : []));
  if (serial === undefined || new Set(quotes.map(({ sha256 }) => sha256)).size !== 1) return undefined;
  for (const [line, first, last, isUp] of quotes.flatMap((quote) => [...quote.line.matchAll(SERIALS)])) {
    const range = last !== undefined ? { from: first, to: last } : isUp !== undefined ? { from: first } : { to: first };
    const isCovered = isInSerialRange(range, serial);
    if (isCovered === undefined) continue;
    return renderText(texts, isCovered ? "yes by measure" : "no by measure", { value: facts.addValue(line) });
  }
  return undefined;
}

/** `Is 063-0192-063 longer than 3 metres?` */
function renderMeasure({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  const { least, most } = question.constraints;
  const bound = least ?? most;
  const [part, ...furtherParts] = findings.flatMap(({ item, parts }) => (item.mentions.length > 0 ? parts : []));
  if (!bound || !part || furtherParts.length > 0 || !/^\W*(?:is|are|does|do|has|have)\b/i.test(question.text))
    return undefined;
  const measures = findMeasures(toComparable(part).name).filter(({ unit }) => getKind(unit) === getKind(bound.unit));
  const measure = measures.toSorted((a, b) => compareMeasures(b, a) ?? 0)[0];
  const value = measure && convert(measure, bound.unit);
  if (!measure || value === undefined) return undefined;
  const [nameText, boundText] = [formatMeasure(measure.value, measure.unit), formatMeasure(value, bound.unit)];
  const slots = { value: facts.addValue(nameText === boundText ? nameText : `${nameText} (${boundText})`) };
  return renderText(texts, isWithin([measure], { least, most }) ? "yes by measure" : "no by measure", slots);
}

/** `Can I use A instead of B?` */
function renderSubstitution({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  if (!SAYS["in place of"].test(question.text)) return undefined;
  const mentions = findings.flatMap(({ item }) => item.mentions).sort((a, b) => a.from - b.from);
  const numbers = [...new Set(mentions.map(({ number }) => number))];
  const parts = findings.flatMap((finding) => finding.parts);
  const findPart = (number: number | undefined): FoundPart | undefined =>
    parts.find((part) => mentions.some((mention) => mention.number === number && mention.pnNorm.endsWith(part.pnNorm)));
  const [part, otherPart] = [findPart(numbers[0]), findPart(numbers[1])];
  if (!part || !otherPart || part === otherPart || numbers.length !== 2) return undefined;
  const successors = findings.flatMap((finding) => finding.successors);
  const isReplacedBy = (from: FoundPart, to: FoundPart, candidates: readonly FoundPart[] = successors): boolean => {
    const pnNorm = normalizePartNumber(from.replacedBy ?? "");
    if (pnNorm === to.pnNorm) return true;
    const next = candidates.find((successor) => successor.pnNorm === pnNorm);
    return (
      next !== undefined &&
      isReplacedBy(
        next,
        to,
        candidates.filter((successor) => successor !== next),
      )
    );
  };
  const machines = listPartMachines(part);
  const shared = listPartMachines(otherPart).filter((machine) => machines.includes(machine));
  const name = isReplacedBy(otherPart, part)
    ? "yes instead"
    : isReplacedBy(part, otherPart)
      ? "no instead"
      : shared.length > 0
        ? "instead for the same"
        : "instead unknown";
  return renderText(texts, name, {
    part: `{${facts.addPart(part).id}.number}`,
    other: `{${facts.addPart(otherPart).id}.number}`,
    machines: facts.addMachines(shared),
  });
}

/** `Is it the same for both?` */
function renderSameness({ question, findings, texts }: Evidence): string | undefined {
  const { models, text } = question;
  if (models.length !== 2 || !SAYS["same for both"].test(text)) return undefined;
  const [first, second] = models.map((model) => {
    const parts = findings.filter(({ item }) => item.models.includes(model)).flatMap((finding) => finding.parts);
    return deduplicate(parts.map(({ pnNorm }) => pnNorm));
  });
  if (!first?.length || !second?.length) return undefined;
  const count = first.filter((pnNorm) => second.includes(pnNorm)).length;
  const isSame = count === first.length && count === second.length;
  const name = count === 0 ? "different" : isSame ? "same for both" : "some for both";
  return texts[name];
}

/** `Is it still available?`, `Is it discontinued?` */
function renderStatus({ question, findings, texts }: Evidence, facts: Facts): string | undefined {
  const isStill = SAYS["still sold"].test(question.text);
  if (!isStill && !SAYS.discontinued.test(question.text)) return undefined;
  const parts = findings.flatMap((finding) => finding.parts);
  const [part] = parts;
  if (!part || parts.length > 1) return undefined;
  const { offer } = facts.addPart(part);
  if (offer.status === "discontinued") return texts[isStill ? "no longer sold" : "yes discontinued"];
  return isForSale(offer) ? texts[isStill ? "still sold" : "not discontinued"] : undefined;
}
