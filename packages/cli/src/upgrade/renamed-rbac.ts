import { DeclaredLists } from '../create/declared-lists.ts';
import { propertyOf } from '../create/static-value.ts';
import { ofRbac } from '../load/declared-in-config.ts';
import type { Codemod } from './codemod.ts';

/** `rbac` of evenkeel.config.ts is `deployment`. Its options about the operator belong in the operator's declaration. */
export const renamedRbac: Codemod = {
  // Checkouts from before the first release, whose version was 0.1.0 too, accepted the old name.
  since: '0.2.0',
  title: 'the option "rbac" is now "deployment"',
  plan(project, notice) {
    const lists = new DeclaredLists(project);
    const value = lists.option('rbac');
    if (value === undefined) return;
    const shown = project.shown(project.configPath);
    if (lists.option('deployment') !== undefined) {
      notice(`${shown}: it has "rbac" and "deployment"; remove "rbac"`);
      return;
    }
    const moved = value.type === 'ObjectExpression' ? ofRbac.filter((name) => propertyOf(value, name)) : [];
    if (moved.length === 0) lists.renameOption('rbac', 'deployment');
    else {
      const options = moved.map((name) => `"rbac.${name}"`).join(', ');
      notice(
        `${shown}: ${options} must be in defineOperator(); run evenkeel generate, which prints the code to write instead`,
      );
    }
  },
};
