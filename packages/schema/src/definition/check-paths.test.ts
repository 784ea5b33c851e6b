import type { AnyClass } from '@evenkeel/core';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { BadPaths, GoodPaths } from './paths.fixture.ts';

async function findingsOf(type: AnyClass): Promise<string[]> {
  const { findings } = await generateCustomResourceDefinitions([type]);
  return findings
    .filter(({ code }) => code !== 'inexact-constraint')
    .map((finding) => `${finding.level} ${finding.code}: ${findingText(finding)}`);
}

describe('checkPaths', () => {
  it('accepts paths to properties, list elements, map values and metadata', async () => {
    expect(await findingsOf(GoodPaths)).toEqual([]);
  });

  it('reports paths that lead to no property or to a property of the wrong type', async () => {
    expect(await findingsOf(BadPaths)).toMatchInlineSnapshot(`
[
  "notice duplicate-declaration: BadPaths: @PrinterColumn "Typo" is declared twice, maybe once on a base class, and "kubectl get" shows both; rename or remove one",
  "error duplicate-declaration: BadPaths: @SelectableField(".spec.color") is declared twice, maybe once on a base class; remove one",
  "notice empty-column: BadPaths: @PrinterColumn "Typo": .spec.colour leads to no property: there is no property "colour"; did you mean "color"?; the column will be empty",
  "notice empty-column: BadPaths: @PrinterColumn "Text": .spec.color leads to a string, which a column of type "integer" cannot show; change the column's type to "string"",
  "notice empty-column: BadPaths: @PrinterColumn "Fraction": .spec.ratio leads to a number, which a column of type "integer" cannot show; change the column's type to "number"",
  "notice empty-column: BadPaths: @PrinterColumn "Number": .spec.size leads to an integer, which a column of type "date" cannot show; change the column's type to "integer"",
  "notice empty-column: BadPaths: @PrinterColumn "Below": .spec.size.more leads to no property: an integer has no property "more"; the column will be empty",
  "notice empty-column: BadPaths: @PrinterColumn "Element": .spec.color[0] leads to no property: a string has no elements; the column will be empty",
  "notice empty-column: BadPaths: @PrinterColumn "Of list": .spec.parts.name leads to no property: an array has no property "name"; the column will be empty",
  "notice empty-column: BadPaths: @PrinterColumn "Meta": .metadata.created leads to no property: there is no property "created"; the column will be empty",
  "error invalid-option: BadPaths: @Scale: specReplicasPath .spec.color leads to a string; it must lead to an integer",
  "error invalid-option: BadPaths: @Scale: statusReplicasPath .status.raedy leads to no property: there is no property "raedy"; did you mean "ready"?",
  "error invalid-option: BadPaths: @Scale: labelSelectorPath .status.ready leads to an integer; it must lead to a string",
  "error invalid-option: BadPaths: @SelectableField('.spec.ratio') leads to a number; it must lead to a string or an integer or a boolean; add @IsInt() to that property",
  "error invalid-option: BadPaths: @SelectableField('.spec.parts') leads to an array; it must lead to a string or an integer or a boolean",
  "error invalid-option: BadPaths: @SelectableField('.spec.colour') leads to no property: there is no property "colour"; did you mean "color"?",
]
`);
  });
});
