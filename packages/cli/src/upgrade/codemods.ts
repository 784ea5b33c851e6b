import type { Codemod } from './codemod.ts';
import { movedModules } from './moved-modules.ts';
import { renamedRbac } from './renamed-rbac.ts';

/** The codemods of all versions, in the order in which they are applied. */
export const codemods: readonly Codemod[] = [
  renamedRbac,
  movedModules('0.2.0', '@evenkeel/core/certificate', '@evenkeel/apimachinery/certificate'),
];
