import { globalOverload, type Library } from '../value/declaration.ts';
import { stringType } from '../value/type.ts';
import { stringOf } from '../value/value.ts';

/** `jsonpatch.escapeKey()`, only for expressions that return patches. */
export const jsonPatchLibrary: Library = {
  functions: [
    {
      name: 'jsonpatch.escapeKey',
      overloads: [
        globalOverload('string_jsonpatch_escapeKey_string', [stringType], stringType, (key) =>
          stringOf(key).replaceAll('~', '~0').replaceAll('/', '~1'),
        ),
      ],
    },
  ],
};
