import { readFile, writeFile } from 'node:fs/promises';
import * as validator from 'class-validator';
import { constraintCases } from './constraint-cases.fixture.ts';
import { constraintGroups, decoratorOfRule } from './constraint-table.ts';
import { gradeTable } from './grade-table.fixture.ts';

const document = new URL('../../../../docs/class-validator.md', import.meta.url);

/** Capitalised functions that are not property decorators. */
const noDecorators = ['ValidatorConstraint', 'ValidationError', 'ValidationTypes', 'Validator', 'MetadataStorage'];
/** Decorators that take a user's validator; their metadata does not name the decorator. */
const ofUsers: ReadonlyMap<string, string> = new Map([
  ['Validate', 'validate'],
  ['ValidateBy', 'validateBy'],
]);
const ruleNames = [...constraintGroups.values()].flatMap((group) => Object.keys(group));

/** Each decorator that class-validator exports, with its name in the metadata. */
function exportedDecorators(): Map<string, string | undefined> {
  const exported = Object.entries(validator as Readonly<Record<string, unknown>>).filter(
    ([name, value]) => /^[A-Z][a-z]/.test(name) && typeof value === 'function' && !noDecorators.includes(name),
  );
  return new Map(exported.map(([name, make]) => [name, ofUsers.get(name) ?? metadataName(make as DecoratorFactory)]));
}

type DecoratorFactory = (...parameters: unknown[]) => PropertyDecorator;

function metadataName(make: DecoratorFactory): string | undefined {
  class Sample {}
  make({})(Sample.prototype, 'value');
  const [metadata] = validator.getMetadataStorage().getTargetValidationMetadatas(Sample, '', false, false);
  const byType: Readonly<Record<string, string>> = {
    conditionalValidation: metadata?.name ?? 'validateIf',
    whitelistValidation: 'allow',
    nestedValidation: 'nestedValidation',
    promiseValidation: 'promiseValidation',
  };
  return byType[metadata?.type ?? ''] ?? metadata?.name;
}

describe('constraintRule', () => {
  const exported = exportedDecorators();

  it('has a rule for each decorator that class-validator exports, by the name in its metadata', () => {
    expect(exported.size).toBeGreaterThanOrEqual(111);
    const missing = [...exported].filter(([, rule]) => rule === undefined || !ruleNames.includes(rule));
    expect(missing).toEqual([]);
  });

  it('names each decorator as class-validator exports it', () => {
    const named = [...exported].map(([decorator, rule]) => [decorator, decoratorOfRule(rule ?? '')]);
    expect(named.filter(([decorator, name]) => decorator !== name)).toEqual([]);
  });

  it('has no duplicate rule, and no rule without a decorator', () => {
    expect(new Set(ruleNames).size).toBe(ruleNames.length);
    const known = new Set(exported.values());
    expect(ruleNames.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has a case for every rule', () => {
    const tried = new Set(constraintCases.map(({ rule }) => rule));
    expect(ruleNames.filter((name) => !tried.has(name))).toEqual([]);
    expect([...tried].filter((name) => !ruleNames.includes(name))).toEqual([]);
  });

  it('has a reason for each inexact grade', () => {
    const unexplained = [...constraintGroups.values()].flatMap((group) =>
      Object.entries(group).filter(([, { grade, reason = '' }]) => grade !== 'exact' && reason === ''),
    );
    expect(unexplained.map(([name]) => name)).toEqual([]);
  });

  it('matches docs/class-validator.md (UPDATE_DOCS=1 writes it)', async () => {
    const table = await gradeTable();
    if (process.env['UPDATE_DOCS'] === '1') await writeFile(document, table);
    expect(await readFile(document, 'utf8').catch(() => '')).toBe(table);
  });
});
