import ts from "typescript";

/** A text of a source file, and where it begins. */
interface CodeText {
  line: number;
  column: number;
  text: string;
}

const COMMENT = /\/\/.*|\/\*[^]*?\*\//g;
/** Code in a comment: in backticks, or the name of a parameter. */
const CODE = /`[^`]*`|@param \w+/g;
const TEST_FUNCTION = /^it$|test|describe|suite/i;

/** Returns a file's prose: comments, and messages (strings with a space) or, in tests and benches, names of tests. */
export function codeTexts(path: string, source: string): CodeText[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const isProse = /^(?:packages\/bench|(?:packages\/[^/]+\/)?test)\//.test(path) ? isTestName : isMessage;
  const found: CodeText[] = [];
  const add = (start: number, text: string): void => {
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    found.push({ line: line + 1, column: character + 1, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    if (isProse(node)) add(node.getStart(file), node.getText(file));
    const inside = node.getChildren(file);
    if (inside.length === 0 && !ts.isJsxText(node)) {
      for (const { 0: comment, index } of source.slice(node.pos, node.getStart(file)).matchAll(COMMENT))
        add(
          node.pos + index,
          comment.replace(CODE, (code) => code.replaceAll(/[^\n]/g, " ")),
        );
    }
    inside.forEach(visit);
  };
  visit(file);
  return found;
}

/**
 * Whether a node is the name in `test("…")`, `describe.each(table)("…")`, `(isSlow ? it.skip : it)("…")` or the like.
 */
function isTestName(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return false;
  return (
    ts.isCallExpression(parent) && parent.arguments[0] === node && TEST_FUNCTION.test(functionOf(parent.expression))
  );
}

/** Returns the name `test` of `test.skip`, `test.each(table)` and `(isSlow ? test.skip : test)`. */
function functionOf(called: ts.Expression): string {
  if (ts.isConditionalExpression(called)) return functionOf(called.whenTrue);
  if (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called) || ts.isParenthesizedExpression(called))
    return functionOf(called.expression);
  return ts.isIdentifier(called) ? called.text : "";
}

function isMessage(node: ts.Node): boolean {
  const isPiece = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isJsxText(node);
  return (isPiece || ts.isStringLiteralLike(node)) && node.getText().includes(" ");
}
