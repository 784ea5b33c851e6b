import { goIntegerError, goQuote } from '../../apimachinery.ts';
import { globalOverload, type Library, memberOverload, type Overload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, type CelType, intType, objectType, stringType } from '../value/type.ts';
import { CelObject, type CelValue, intValue } from '../value/value.ts';

const semverType = objectType('kubernetes.Semver');

/** A semantic version; `prerelease` identifiers that consist of digits are numbers. */
export class SemverValue extends CelObject {
  readonly celType = semverType;
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (bigint | string)[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (bigint | string)[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  equals(other: CelValue): boolean {
    return compare(this, versionOf(other)) === 0;
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
    ...(['major', 'minor', 'patch'] as const).map((name, i) => ({
      name,
      overloads: [
        memberOverload(`semver_${name}`, [semverType], intType, (version) =>
          intValue(BigInt.asIntN(64, versionOf(version).numbers[i] ?? 0n)),
        ),
      ],
    })),
  ],
};

function binary(id: string, result: CelType, pick: (order: number) => CelValue): Overload {
  return memberOverload(`semver_${id}`, [semverType, semverType], result, (a, b) =>
    pick(compare(versionOf(a), versionOf(b))),
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

/** The error messages are those of github.com/blang/semver v4, which upstream uses. */
function parse(text?: CelValue, normalize?: CelValue): SemverValue {
  if (typeof text !== 'string' || typeof normalize !== 'boolean') throw noSuchOverload();
  const version = normalize ? normalized(text) : text;
  if (version === '') throw new EvaluationFault('Version string empty');
  const [major, minor, rest] = splitThree(version);
  if (major === undefined || minor === undefined || rest === undefined) {
    throw new EvaluationFault('No Major.Minor.Patch elements found');
  }
  const majorNumber = component('major', 'Major', major);
  const minorNumber = component('minor', 'Minor', minor);
  const [withPrerelease = '', ...builds] = cut(rest, '+');
  const [patch = '', ...prereleases] = cut(withPrerelease, '-');
  const patchNumber = component('patch', 'Patch', patch);
  const prerelease = prereleases.flatMap((part) => part.split('.')).map(identifier);
  for (const build of builds.flatMap((part) => part.split('.'))) {
    if (build === '') throw new EvaluationFault('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(build)) {
      throw new EvaluationFault(`Invalid character(s) found in build meta data ${goQuote(build)}`);
    }
  }
  return new SemverValue([majorNumber, minorNumber, patchNumber], prerelease);
}

function normalized(text: string): string {
  const parts = splitThree(text.replace(/^v/, '')).map((part) => {
    if (part.length <= 1) return part;
    const stripped = part.replace(/^0+/, '');
    return /^\d/.test(stripped) ? stripped : `0${stripped}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new EvaluationFault('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** At most three parts; the last keeps its dots. */
function splitThree(text: string): string[] {
  const parts = text.split('.');
  return parts.length <= 3 ? parts : [...parts.slice(0, 2), parts.slice(2).join('.')];
}

function cut(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function component(name: string, title: string, text: string): bigint {
  if (!/^\d*$/.test(text)) {
    throw new EvaluationFault(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  }
  if (text.length > 1 && text.startsWith('0')) {
    throw new EvaluationFault(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  }
  return uint64(text);
}

function identifier(text: string): bigint | string {
  if (text === '') throw new EvaluationFault('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (text.length > 1 && text.startsWith('0')) {
      throw new EvaluationFault(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    }
    return uint64(text);
  }
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  throw new EvaluationFault(`Invalid character(s) found in prerelease ${goQuote(text)}`);
}

function uint64(text: string): bigint {
  const value = text === '' || text.length > 20 ? undefined : BigInt(text);
  if (value === undefined || BigInt.asUintN(64, value) !== value) {
    throw new EvaluationFault(goIntegerError('ParseUint', text));
  }
  return value;
}

/** Precedence by semver.org: build metadata does not count, a prerelease comes before its release. */
function compare(a: SemverValue, b: SemverValue): number {
  for (const i of [0, 1, 2] as const) {
    if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length) - Math.sign(a.prerelease.length);
  }
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const mine = a.prerelease[i] ?? '';
    const theirs = b.prerelease[i] ?? '';
    if (mine === theirs) continue;
    if (typeof mine !== typeof theirs) return typeof mine === 'bigint' ? -1 : 1;
    return mine < theirs ? -1 : 1;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

function versionOf(value: CelValue | undefined): SemverValue {
  if (!(value instanceof SemverValue)) throw noSuchOverload();
  return value;
}
