import { type AnyClass, CustomResource, KubernetesObject, SeededRandom, Spec } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { type CompiledSchema, compileSchema } from '../evaluate/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding.ts';
import { generateCustomResourceDefinitions } from '../generate.ts';
import { decoratorName } from '../model/constraint-metadata.ts';
import type { Grade } from './constraint.ts';
import { customRules } from './custom.ts';
import { everyType, type ValueGenerator } from './random-value.fixture.ts';

/** One way to use a decorator, with values to hold the schema against the validator. */
export interface ConstraintCase {
  /** The rule it is about, by the name in class-validator's metadata. */
  readonly rule: string;
  /** The decorators as a user writes them: the name of the case in the tests and in docs/class-validator.md. */
  readonly written: string;
  readonly decorators: readonly PropertyDecorator[];
  /** How the schema compares with the validator; several where one half of it is looser and another stricter. */
  readonly grade: Grade | readonly Grade[];
  /** Makes values near the border between good and bad: at least one in twenty of each, by the validator's judgement. */
  readonly values: ValueGenerator;
  /** Where the validator accepts nothing that JSON can say, so that there is no border. */
  readonly accepts?: 'nothing';
  /** Where verdicts may differ at all: elsewhere a looser or stricter schema agrees with the validator as well. */
  readonly differsFor?: (value: unknown) => boolean;
  /** The class that a nested object is made of before it is validated. */
  readonly nested?: AnyClass;
}

/** What is said of a case beyond its decorators and values. */
type Remarks = Partial<Pick<ConstraintCase, 'grade' | 'accepts' | 'differsFor' | 'nested'>>;

/** Cases of one rule, in short: what is written, the decorators, the values, and a grade that is not `exact`. */
export function casesOf(
  rule: string,
  ...cases: readonly (readonly [
    written: string,
    decorators: readonly PropertyDecorator[],
    values: ValueGenerator,
    remarks?: Grade | Remarks,
  ])[]
): ConstraintCase[] {
  return cases.map(([written, decorators, values, remarks = {}]) => ({
    rule,
    written,
    decorators,
    values,
    grade: 'exact',
    ...(typeof remarks === 'string' ? { grade: remarks } : remarks),
  }));
}

/** A class with the decorators of a case on its property `value`, and what generation makes of it. */
export interface PreparedCase {
  readonly type: AnyClass;
  readonly schema: CompiledSchema;
  /** The schema of `value` alone. */
  readonly property: StructuralSchema;
  readonly findings: readonly Finding[];
}

export async function prepare({ decorators }: Pick<ConstraintCase, 'decorators'>): Promise<PreparedCase> {
  class SampleSpec {}
  for (const decorate of decorators) decorate(SampleSpec.prototype, 'value');
  class Sample extends KubernetesObject {}
  CustomResource({ group: 'sample.example.com', version: 'v1' })(Sample);
  Spec()(Sample.prototype, 'spec');
  Type(() => SampleSpec)(Sample.prototype, 'spec');
  const { definitions, findings } = await generateCustomResourceDefinitions([Sample]);
  const spec = definitions[0]?.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'] as
    | StructuralSchema
    | undefined;
  const property = spec?.properties?.['value'];
  if (spec === undefined || property === undefined) {
    throw new Error(`no schema: ${findings.map(({ message }) => message).join('\n')}`);
  }
  return { type: SampleSpec, schema: compileSchema(spec), property, findings };
}

/** The grades with which a rule was reported; `exact` where it was not. */
export function reportedGrades(rule: string, { findings }: PreparedCase): readonly Grade[] {
  const decorator = decoratorName({ name: rule, parameters: [], each: false, isConditional: false });
  const grades = findings
    .filter(({ message }) => rule in customRules || message.startsWith(`${decorator} `))
    .map(({ message }) => {
      if (message.includes('which accepts more')) return 'looser';
      return message.includes('which accepts less') ? 'stricter' : 'not-expressible';
    });
  return grades.length === 0 ? ['exact'] : grades;
}

/** The grades that are expected of a case. */
export function gradesOf({ grade }: ConstraintCase): readonly Grade[] {
  return typeof grade === 'string' ? [grade] : grade;
}

/** Forgets the class, of which validation would else look at every one that was ever decorated. */
export function forget({ type }: PreparedCase): void {
  const { validationMetadatas } = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, unknown> };
  validationMetadatas.delete(type);
}

const validatorOptions = { dismissDefaultMessages: true, validationError: { target: false, value: false } };

export interface Verdicts {
  /** What both are asked about: the server removes null before it validates, and so before an operator sees it. */
  readonly stored: { readonly value?: unknown };
  readonly byValidator: boolean;
  readonly bySchema: boolean;
}

/** Asks the validator and the schema about one value. */
export function verdictsOn(value: unknown, { type, schema }: PreparedCase, nested?: AnyClass): Verdicts {
  const stored: { value?: unknown } =
    value === undefined ? {} : { value: typeof value === 'object' ? structuredClone(value) : value };
  schema.prune(stored);
  schema.default(stored);
  const object = instanceOf(type, stored) as { value?: unknown };
  if (nested !== undefined) {
    object.value = Array.isArray(stored.value)
      ? stored.value.map((item: unknown) => instanceOf(nested, item))
      : instanceOf(nested, stored.value);
  }
  return {
    stored,
    byValidator: passesValidator(object),
    bySchema: schema.validate(stored).length === 0,
  };
}

function instanceOf(type: AnyClass, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.assign(Object.create(type.prototype as object) as object, value);
}

/** A validator that throws, as @IsNumber({ maxDecimalPlaces: 1 }) does for 1e-7, accepts nothing. */
function passesValidator(object: object): boolean {
  try {
    return validateSync(object, validatorOptions).length === 0;
  } catch {
    return false;
  }
}

/**
 * Tries a case with so many values of its own and one of each type. Throws where the verdicts are not those of its
 * grade, and where its values are nearly all good or nearly all bad, so that nothing is tried.
 */
export function compareVerdicts(tried: ConstraintCase, prepared: PreparedCase, seed: number, count = 10_000): void {
  const { values, written, accepts, differsFor = () => true, nested } = tried;
  const grades = gradesOf(tried);
  const mayAccept = grades.some((grade) => grade === 'looser' || grade === 'not-expressible');
  const mayRefuse = grades.includes('stricter');
  const random = new SeededRandom(seed);
  const check = (value: unknown): boolean => {
    const { stored, byValidator, bySchema } = verdictsOn(value, prepared, nested);
    if (byValidator === bySchema) return byValidator;
    if ((bySchema ? mayAccept : mayRefuse) && differsFor(stored.value)) return byValidator;
    throw new Error(
      `${written}, seed ${seed}: the validator ${byValidator ? 'accepts' : 'refuses'} ${JSON.stringify(stored)}, ` +
        `the schema does not: ${JSON.stringify(prepared.property)}`,
    );
  };
  for (const value of everyType) check(value);
  let accepted = 0;
  for (let tries = 0; tries < count; tries++) {
    if (check(values(random))) accepted++;
  }
  if (accepts === 'nothing') {
    if (accepted > 0) throw new Error(`${written}, seed ${seed}: of ${count} values, ${accepted} are good`);
    return;
  }
  if (accepted < count / 20 || accepted > count - count / 20) {
    throw new Error(`${written}, seed ${seed}: of ${count} values, ${accepted} are good; both need at least one in 20`);
  }
}
