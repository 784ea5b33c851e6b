import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ConstraintCase, forget, prepare, reportsOn } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';
import { constraintGroups, decoratorOfRule } from './constraint-table.ts';
import type { Grade } from './rule/constraint.ts';

const introduction = `# What becomes of class-validator's decorators

\`evenkeel generate\` writes what the decorators of class-validator 0.15 say of a property into the schema of its CRD, as far
as a structural schema can say it. Each has a grade:

- **exact**: the API server accepts what the validator accepts, and nothing else.
- **looser**: the schema accepts more. A validator in the operator does the rest ([validation](validation.md)).
- **stricter**: the schema accepts less, because the wire demands it; the reason says where.
- **not expressible**: nothing of it is in the schema but the type.

An expression of \`@Matches()\` that RE2 cannot say is an error
([untranslatable-expression](errors.md#untranslatable-expression)), not a grade: it can be written in another way. So are
decorators that no value passes ([impossible-constraint](errors.md#impossible-constraint)), alone or with others; "error" in
the tables.

What is not exact is reported when the CRD is generated, with class, property and reason. This page is made of the rules
themselves, and a test holds each line against the validator: random values around the border of the decorator, at least
10,000 for each that is exact, get the same verdict from both; of a looser or stricter one, a verdict that may differ does so
in that direction only. "Writes" names the keywords of the schema, with CEL for \`x-kubernetes-validations\`.

A missing value passes where all decorators of the property let it, otherwise the property is \`required\`. The API server
removes \`null\` before it validates, so null counts as missing. \`?\` lets a value be missing whatever its decorators say, and
\`classValidator()\` passes what is missing, unless \`@IsDefined()\` stands there.

The options of decorators:

- \`each: true\` puts the decorator on the items of a list, or on the values of a \`Record\`: \`classValidator()\` does so too, while
  class-validator's own functions look into no object that is not a \`Map\`.
- \`groups\` and \`always\` choose decorators as they do for the validator; give \`generate\` the same groups that the operator
  validates with.
- \`validateIf\`, like \`@ValidateIf()\`, is a function that no schema can read: the decorator is reported and left out.
- \`message\` and \`context\` make no difference to the schema.

A validator of your own that is registered under the name of one of these is taken for it: give it another name.
`;

/** The text of docs/class-validator.md. */
export async function gradeTable(): Promise<string> {
  const sections: string[] = [];
  for (const [title, group] of constraintGroups) {
    const rows: string[] = [];
    for (const rule of Object.keys(group)) rows.push(...(await rowsOf(rule)));
    sections.push(
      `## ${title}\n\n| Decorator | Grade | Writes | Why, and what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
    );
  }
  return [introduction, ...sections].join('\n');
}

/** A rule's first case, and those that differ from it in grade or reason. */
async function rowsOf(rule: string): Promise<string[]> {
  const rows: { readonly decorator: string; readonly rest: string; readonly verdict: string }[] = [];
  for (const tried of constraintCases.filter((one) => one.rule === rule)) {
    const { grades, reason, writes } = await described(tried);
    const verdict = `${grades} | ${reason}`;
    if (rows.some((row) => row.verdict === verdict)) continue;
    rows.push({ decorator: code(tried.written), rest: `${grades} | ${writes} | ${reason}`, verdict });
  }
  const [first] = rows;
  if (first === undefined) throw new Error(`${decoratorOfRule(rule)} has no case`);
  return rows.map(({ decorator, rest }) => `| ${decorator} | ${rest} |`);
}

async function described(tried: ConstraintCase) {
  const prepared = await prepare(tried);
  forget(prepared);
  const reports = reportsOn(tried.rule, prepared);
  const grades = reports.length === 0 ? ['exact' as const] : reports.map(({ grade }) => grade);
  const keywords = prepared.isImpossible ? [] : [...new Set(keywordsOf(prepared.property))];
  return {
    grades: prepared.isImpossible ? 'error' : [...new Set(grades)].map(gradeText).join(' and '),
    reason: escaped([...new Set(reports.map(({ reason }) => reason))].join('; ')),
    writes: keywords.map((keyword) => (keyword === 'CEL' ? keyword : code(keyword))).join(', '),
  };
}

function gradeText(grade: Grade): string {
  return grade === 'not-expressible' ? 'not expressible' : grade;
}

/** The keywords of a schema at any depth, those of its type left out where there are others. */
function keywordsOf(schema: StructuralSchema): string[] {
  const found: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'type' || keyword === 'properties' || keyword === 'required') continue;
    if (keyword === 'x-kubernetes-validations') found.push('CEL');
    else if (keyword === 'items') found.push(...keywordsOf(value as StructuralSchema).map((inner) => `items.${inner}`));
    else if (keyword === 'allOf') found.push(...(value as StructuralSchema[]).flatMap(keywordsOf));
    else found.push(keyword);
  }
  const beyondTypes = found.filter((keyword) => !keyword.includes('type: '));
  if (beyondTypes.length > 0) return beyondTypes;
  return found.length === 0 && schema.type !== undefined ? [`type: ${schema.type}`] : found;
}

function code(text: string): string {
  return `\`${escaped(text)}\``;
}

/** A bar would end the cell, in code as well. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
