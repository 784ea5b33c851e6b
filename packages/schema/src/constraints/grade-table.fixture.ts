import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ConstraintCase, forget, prepare, reportsOn } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';
import { constraintGroups, decoratorOfRule } from './constraint-table.ts';
import type { Grade } from './rule/constraint.ts';

const introduction = `# Class-validator decorators in the schema

\`evenkeel generate\` translates class-validator 0.15 decorators into the schema of the CRD. A structural schema cannot express
all of them exactly. The column "Translation" shows how completely each
decorator is translated:

- **exact**: the API server accepts the same values as the validator.
- **looser**: the schema accepts more values. Use a validator in the operator for the rest ([validation](validation.md)).
- **stricter**: the schema accepts fewer values, because JSON or the API server requires it. The reason names the difference.
- **not expressible**: the schema contains only the type.
- **error**: no value satisfies the decorator, alone or together with others
  ([impossible-constraint](errors.md#impossible-constraint)). Generation fails.

A \`@Matches()\` expression that RE2 does not support is also an error
([untranslatable-expression](errors.md#untranslatable-expression)), because you can write the expression in another way.

\`evenkeel generate\` reports each decorator that is not exact, with the class, the property and the reason. The column "Writes"
has the keywords in the schema; CEL stands for \`x-kubernetes-validations\`.

This page is generated from the rules, and a test compares each row with the validator. It tries random values near the limits of
the decorator, at least 10,000 for each exact one. For an exact decorator, both results must be the same. For a looser or stricter
one, they may differ only in that direction.

## Missing values

- If all decorators of a property accept a missing value, the property is optional. Otherwise it is \`required\`.
- \`?\` makes a property optional, whatever its decorators are.
- The API server removes \`null\` before it validates, so null is a missing value.
- \`classValidator()\` accepts a missing value, unless the property has \`@IsDefined()\`.

## Options of decorators

- \`each: true\` applies the decorator to the items of a list, or to the values of a \`Record\`. \`classValidator()\` does the same.
  Class-validator's own functions check the values of a \`Map\`, but not those of a plain object.
- \`groups\` and \`always\` select decorators, as in the validator. Configure \`generate\` with the groups that the operator validates
  with.
- \`validateIf\` and \`@ValidateIf()\` are functions, which cannot be translated. The decorator is reported and omitted.
- \`message\` and \`context\` do not change the schema.

Do not register your own validator under the name of a decorator on this page. \`generate\` would treat it as that decorator.
`;

/** The content of docs/class-validator.md. */
export async function gradeTable(): Promise<string> {
  const sections: string[] = [];
  for (const [title, group] of constraintGroups) {
    const rows: string[] = [];
    for (const rule of Object.keys(group)) rows.push(...(await rowsOf(rule)));
    sections.push(
      `## ${title}\n\n| Decorator | Translation | Writes | Why, and what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`,
    );
  }
  return [introduction, ...sections].join('\n');
}

/** The first case of a rule, and the cases that differ from it in grade or reason. */
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

/** The keywords of a schema at any depth; those of its type only if there are no others. */
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

/** A bar would end the table cell, even in code. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
