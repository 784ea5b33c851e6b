import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { AnyClass, KindReference } from '../declarations/class-reference.ts';
import type { ConversionOptions } from '../declarations/conversion-declaration.ts';
import { resolveKind } from '../declarations/resolve-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import { describeValue } from '../errors/describe-value.ts';
import { didYouMean } from '../errors/did-you-mean.ts';
import { apiVersionOf, type KindClass } from '../kind/api-resource.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { type FieldMove, moveMistakes } from './field-moves.ts';
import { type PathStep, parseFieldPath } from './field-path.ts';
import type { CheckedConversion, ConvertedVersion, PathsOfSides } from './version-conversion.ts';

const options: readonly string[] = [
  'hub',
  'moves',
  'keep',
  'omit',
  'toHub',
  'fromHub',
] satisfies readonly (keyof ConversionOptions)[];

/**
 * Reads the conversion that a class declares; undefined if it declares none or if it has mistakes, which are reported. Paths are
 * not compared with schemas.
 */
export function readConversion(type: AnyClass, report: (mistake: string) => void): CheckedConversion | undefined {
  const given: unknown = declarationsOf(type).customResource?.conversion;
  if (given === undefined) return undefined;
  if (!isJsonObject(given)) {
    report(`it must be an object such as { hub: () => TheHub }, not ${describeValue(given)}`);
    return undefined;
  }
  let isValid = true;
  const refuse = (mistake: string): void => {
    isValid = false;
    report(mistake);
  };
  for (const option of Object.keys(given)) {
    if (!options.includes(option)) {
      refuse(`unknown option "${option}"${didYouMean(option, options) || `; it takes ${options.join(', ')}`}`);
    }
  }
  const hub = readHub(type, given['hub'], refuse);
  const moves = readMoves(given['moves'], refuse);
  const keep = readSides('keep', given['keep'], refuse);
  const omit = readSides('omit', given['omit'], refuse);
  const { toHub, fromHub } = given as Pick<ConversionOptions, 'toHub' | 'fromHub'>;
  for (const [name, value] of Object.entries({ toHub, fromHub })) {
    if (value !== undefined && typeof value !== 'function') {
      refuse(`${name} must be a function, not ${describeValue(value)}`);
    }
  }
  if ((toHub === undefined) !== (fromHub === undefined)) {
    const [has, lacks] = toHub === undefined ? ['fromHub', 'toHub'] : ['toHub', 'fromHub'];
    refuse(`it has ${has} but no ${lacks}, so values would be lost in the other direction; add ${lacks}`);
  }
  if (!isValid || hub === undefined) return undefined;
  return { spoke: versionOf(type as KindClass), hub: versionOf(hub), moves, keep, omit, toHub, fromHub };
}

function readHub(type: AnyClass, given: unknown, refuse: (mistake: string) => void): KindClass | undefined {
  const example = 'write the class of the hub, such as hub: () => TheHub';
  let hub: unknown;
  try {
    hub = typeof given === 'function' ? resolveKind(given as KindReference) : given;
  } catch (error) {
    refuse(`hub threw ${String(error)}; ${example}`);
    return undefined;
  }
  if (typeof hub !== 'function' || declarationsOf(hub as unknown as KindClass).customResource === undefined) {
    refuse(`hub ${given === undefined ? 'is missing' : 'is not a class with @CustomResource'}; ${example}`);
    return undefined;
  }
  const [own, other] = [resourceOf(type as KindClass), resourceOf(hub as KindClass)];
  if (hub === type) {
    refuse('hub is this class; remove conversion from the hub, and declare it in the other versions');
  } else if (own.group !== other.group || own.kind !== other.kind) {
    refuse(
      `hub ${hub.name} is ${other.kind} of ${other.group}, not a version of ${own.kind} of ${own.group}; ${example}`,
    );
  } else if (own.version === other.version) {
    refuse(`hub ${hub.name} is the same version, ${own.version}; ${example}`);
  } else if (declarationsOf(hub as KindClass).customResource?.conversion !== undefined) {
    refuse(
      `hub ${hub.name} declares a conversion itself; all versions of ${own.kind} need one hub, which declares none`,
    );
  } else return hub as KindClass;
  return undefined;
}

function readMoves(given: unknown, refuse: (mistake: string) => void): FieldMove[] {
  if (given === undefined) return [];
  if (!isJsonObject(given)) {
    refuse(`moves must be an object such as { 'spec.size': 'spec.replicas' }, not ${describeValue(given)}`);
    return [];
  }
  const moves: FieldMove[] = [];
  for (const [source, target] of Object.entries(given)) {
    const from = readPath(`moves: ${source}`, source, refuse);
    const to = readPath(`moves: ${source}: ${String(target)}`, target, refuse);
    if (from !== undefined && to !== undefined) moves.push({ from, to });
  }
  for (const mistake of moveMistakes(moves)) refuse(`moves: ${mistake}`);
  return moves;
}

function readSides(option: 'keep' | 'omit', given: unknown, refuse: (mistake: string) => void): PathsOfSides {
  const sides: Record<'spoke' | 'hub', (readonly PathStep[])[]> = { spoke: [], hub: [] };
  if (given === undefined) return sides;
  const isForm = isJsonObject(given) && Object.keys(given).every((key) => key === 'spoke' || key === 'hub');
  if (!isForm) {
    refuse(
      `${option} must be an object with lists of paths, such as { spoke: ['spec.legacy'], hub: ['spec.retries'] }`,
    );
    return sides;
  }
  for (const side of ['spoke', 'hub'] as const) {
    const paths = given[side] ?? [];
    if (!Array.isArray(paths)) {
      refuse(`${option}.${side} must be a list of paths, such as ['spec.legacy']`);
      continue;
    }
    for (const path of paths as unknown[]) {
      const steps = readPath(`${option}.${side}: ${String(path)}`, path, refuse);
      if (steps !== undefined) sides[side].push(steps);
    }
  }
  return sides;
}

function readPath(what: string, path: unknown, refuse: (mistake: string) => void): readonly PathStep[] | undefined {
  const steps = parseFieldPath(path);
  if (typeof steps !== 'string') return steps;
  refuse(`${what}: ${steps}`);
  return undefined;
}

function versionOf(type: KindClass): ConvertedVersion {
  const resource = resourceOf(type);
  const { properties } = declarationsOf(type);
  return {
    type,
    version: resource.version,
    apiVersion: apiVersionOf(resource),
    parts: (['spec', 'status'] as const).filter((part) =>
      [...properties.values()].flat().some((property) => property.says === part),
    ),
  };
}
