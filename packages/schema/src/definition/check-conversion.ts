import { didYouMean } from '@evenkeel/core';
import { type CheckedConversion, fieldPathText, type PathStep } from '@evenkeel/core/conversion';
import { acceptedTypes } from '../diff/value-differences.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ClassReport } from '../finding/finding.ts';
import { isAlwaysPresent, schemaAtPath } from './converted-schema.ts';

/** The schemas of the two versions of a conversion. */
export interface ConvertedSchemas {
  readonly spoke: StructuralSchema;
  readonly hub: StructuralSchema;
}

/** Checks that the paths of a conversion lead to fields of both versions, and that moved fields have the same type. */
export function checkConversion(conversion: CheckedConversion, schemas: ConvertedSchemas, report: ClassReport): void {
  const { moves, keep, omit, spoke, hub, toHub } = conversion;
  const refuse = (mistake: string): void =>
    report.error('invalid-conversion', `@CustomResource: conversion: ${mistake}`);
  const find = (what: string, side: 'spoke' | 'hub', path: readonly PathStep[]): StructuralSchema | undefined => {
    const found = schemaAtPath(schemas[side], path);
    if (found.is === 'missing') {
      const owner = conversion[side];
      const hint = didYouMean(found.name, found.known) || `; fix the path`;
      refuse(`${what}: ${owner.version} (${owner.type.name}) has no field "${found.name}"${hint}`);
    }
    return found.is === 'found' ? found.schema : undefined;
  };
  for (const { from, to } of moves) {
    const what = `moves: ${fieldPathText(from)}: ${fieldPathText(to)}`;
    const [source, target] = [find(what, 'spoke', from), find(what, 'hub', to)];
    const [given, wanted] = [source, target].map((schema) => (schema === undefined ? undefined : typeText(schema)));
    if (given !== undefined && wanted !== undefined && given !== wanted) {
      refuse(
        `${what}: the types differ, ${given} in ${spoke.version} and ${wanted} in ${hub.version}; convert the value in toHub and fromHub`,
      );
    }
  }
  const moved = new Set([
    ...moves.map(({ from }) => `spoke ${fieldPathText(from)}`),
    ...moves.map(({ to }) => `hub ${fieldPathText(to)}`),
  ]);
  for (const [side, other] of [
    ['spoke', 'hub'],
    ['hub', 'spoke'],
  ] as const) {
    for (const path of omit[side]) {
      const text = fieldPathText(path);
      const what = `omit.${side}: ${text}`;
      if (find(what, side, path) === undefined) continue;
      const isKept = keep[side].some((kept) => fieldPathText(kept) === text);
      const option = moved.has(`${side} ${text}`) ? 'moves' : isKept ? 'keep' : undefined;
      if (option !== undefined) refuse(`${what}: the field is in ${option} too; remove it from one of them`);
    }
    for (const path of keep[side]) {
      const text = fieldPathText(path);
      const what = `keep.${side}: ${text}`;
      if (find(what, side, path) === undefined) continue;
      if (moved.has(`${side} ${text}`)) refuse(`${what}: the field is in moves too; remove it from one of them`);
      if (toHub !== undefined) continue;
      if (schemaAtPath(schemas[other], path).is === 'found') {
        refuse(
          `${what}: ${conversion[other].version} has this field too, so it is copied; remove it from keep, or set it in toHub and fromHub`,
        );
      } else if (isAlwaysPresent(schemas[side], path) && !hasDefault(schemas[side], path)) {
        refuse(
          `${what}: the field is required, but objects that are written through ${conversion[other].version} lack it; give it a default, or set it in toHub and fromHub`,
        );
      }
    }
  }
}

function typeText(schema: StructuralSchema): string | undefined {
  return acceptedTypes(schema)?.join(' or ');
}

function hasDefault(root: StructuralSchema, path: readonly PathStep[]): boolean {
  const found = schemaAtPath(root, path);
  return found.is === 'found' && found.schema.default !== undefined;
}
