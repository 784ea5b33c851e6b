import { compareSemver, parseSemver, type SemanticVersion, strictSemver } from '../../apimachinery.ts';
import { globalOverload, type Library, memberOverload, type Overload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, type CelType, intType, objectType, stringType } from '../value/type.ts';
import { CelObject, type CelValue, intValue } from '../value/value.ts';

const semverType = objectType('kubernetes.Semver');

/** A semantic version. */
export class SemverValue extends CelObject {
  readonly celType = semverType;
  readonly version: SemanticVersion;

  constructor(version: SemanticVersion) {
    super();
    this.version = version;
  }

  equals(other: CelValue): boolean {
    return compareSemver(this.version, versionOf(other)) === 0;
  }
}

/** `semver()`: the versions of semver.org; with `true` as second argument also `v1.2` and the like. */
export const semverLibrary: Library = {
  functions: [
    {
      name: 'semver',
      overloads: [
        globalOverload('string_to_semver', [stringType], semverType, (text) => parse(text, false)),
        globalOverload('string_bool_to_semver', [stringType, boolType], semverType, parse),
      ],
    },
    {
      name: 'isSemver',
      overloads: [
        globalOverload('is_semver_string', [stringType], boolType, (text) => isSemver(text, false)),
        globalOverload('is_semver_string_bool', [stringType, boolType], boolType, isSemver),
      ],
    },
    { name: 'isGreaterThan', overloads: [binary('is_greater_than', boolType, (order) => order > 0)] },
    { name: 'isLessThan', overloads: [binary('is_less_than', boolType, (order) => order < 0)] },
    { name: 'compareTo', overloads: [binary('compare_to', intType, (order) => order)] },
    ...(['major', 'minor', 'patch'] as const).map((name) => ({
      name,
      overloads: [
        memberOverload(`semver_${name}`, [semverType], intType, (version) =>
          intValue(BigInt.asIntN(64, versionOf(version)[name])),
        ),
      ],
    })),
  ],
};

function binary(id: string, result: CelType, pick: (order: number) => CelValue): Overload {
  return memberOverload(`semver_${id}`, [semverType, semverType], result, (a, b) =>
    pick(compareSemver(versionOf(a), versionOf(b))),
  );
}

function isSemver(text?: CelValue, normalize?: CelValue): boolean {
  try {
    parse(text, normalize);
    return true;
  } catch {
    return false;
  }
}

function parse(text?: CelValue, normalize?: CelValue): SemverValue {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') throw noSuchOverload();
  const strict = normalize ? strictSemver(text) : text;
  if (strict === undefined) throw new EvaluationFault('short version cannot contain PreRelease/Build meta data');
  const version = parseSemver(strict);
  if (typeof version === 'string') throw new EvaluationFault(version);
  return new SemverValue(version);
}

function versionOf(value: CelValue | undefined): SemanticVersion {
  if (!(value instanceof SemverValue)) throw noSuchOverload();
  return value.version;
}
