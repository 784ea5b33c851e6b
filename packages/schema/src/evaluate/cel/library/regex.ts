import { type Library, memberOverload } from '../declaration.ts';
import { compileRegex, find, findAll } from '../regex.ts';
import { intType, listType, stringType } from '../type.ts';
import { type CelValue, stringOf } from '../value.ts';

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
