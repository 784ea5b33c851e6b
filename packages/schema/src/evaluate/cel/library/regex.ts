import { compilePattern, type Pattern } from '../../../regular-expression/pattern.ts';
import { type Library, memberOverload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { intType, listType, stringType } from '../value/type.ts';
import { ArrayList, type CelValue, isInt, stringOf } from '../value/value.ts';

const prefix = 'Illegal regex: ';

/** `find` and `findAll` of Kubernetes. */
export const regexLibrary: Library = {
  functions: [
    {
      name: 'find',
      overloads: [
        memberOverload('string_find_string', [stringType, stringType], stringType, (text, pattern) =>
          find(text ?? null, compileRegex(stringOf(pattern), prefix)),
        ),
      ],
    },
    {
      name: 'findAll',
      overloads: [
        memberOverload('string_find_all_string', [stringType, stringType], listType(stringType), all),
        memberOverload('string_find_all_string_int', [stringType, stringType, intType], listType(stringType), all),
      ],
    },
  ],
};

function all(text?: CelValue, pattern?: CelValue, limit?: CelValue): CelValue {
  return findAll(text ?? null, compileRegex(stringOf(pattern), prefix), limit);
}

/** Compiles a pattern. Throws EvaluationFault with `prefix` before the error. */
export function compileRegex(source: string, prefix = ''): Pattern {
  const pattern = compilePattern(source);
  if (typeof pattern === 'string') throw new EvaluationFault(`${prefix}${pattern}`);
  return pattern;
}

export function matches(text: CelValue, regex: Pattern): boolean {
  return regex.matcher(stringOf(text)).find();
}

/** The first match, or the empty string. */
export function find(text: CelValue, regex: Pattern): string {
  const matcher = regex.matcher(stringOf(text));
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** All matches that do not overlap; at most `limit` if it is not negative. */
export function findAll(text: CelValue, regex: Pattern, limit: CelValue | undefined): ArrayList {
  const matcher = regex.matcher(stringOf(text));
  const wanted = limit === undefined ? -1 : isInt(limit) ? Number(limit) : undefined;
  if (wanted === undefined) throw noSuchOverload();
  const found: string[] = [];
  let end = -1;
  while ((wanted < 0 || found.length < wanted) && matcher.find()) {
    // Go skips an empty match right after another match.
    if (matcher.end() > matcher.start() || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return new ArrayList(found);
}
