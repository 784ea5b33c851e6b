import { nodesIn } from '../edit/source-module.ts';
import { edited } from '../edit/text-edit.ts';
import type { Codemod } from './codemod.ts';

/** Changes the module of imports, re-exports and `import()`, where it has the same exports at another place. */
export function movedModules(since: string, from: string, to: string): Codemod {
  return {
    since,
    title: `${from} is now ${to}`,
    plan(project) {
      for (const module of project.modules()) {
        if (!module.text.includes(from)) continue;
        const edits = [...nodesIn(module.program)].flatMap((node) => {
          const source = 'source' in node ? node.source : undefined;
          if (source === null || source === undefined || source.type !== 'Literal' || source.value !== from) return [];
          const quote = module.text[source.start];
          return [{ start: source.start, end: source.end, text: `${quote}${to}${quote}` }];
        });
        if (edits.length === 0) continue;
        module.checked(project.shown(module.path));
        project.replace(module.path, edited(module.text, edits));
      }
    },
  };
}
