/**
 * The source of the helper functions that compiled decorators call. oxc-transform imports them from
 * `@oxc-project/runtime`, which a user's project does not have. They behave as in TypeScript's tslib.
 */
const helpers: Readonly<Record<string, string>> = {
  decorate: `export default function decorate(decorators, target, key, descriptor) {
  const isClass = arguments.length < 3;
  let result = isClass ? target : descriptor === null ? Object.getOwnPropertyDescriptor(target, key) : descriptor;
  for (let i = decorators.length - 1; i >= 0; i--) {
    const decorator = decorators[i];
    if (decorator === undefined) continue;
    const replaced = isClass ? decorator(result) : arguments.length > 3 && descriptor !== undefined ? decorator(target, key, result) : decorator(target, key);
    result = replaced || result;
  }
  if (!isClass && arguments.length > 3 && result) Object.defineProperty(target, key, result);
  return result;
}
`,
  decorateMetadata: `export default function decorateMetadata(key, value) {
  return typeof Reflect.metadata === 'function' ? Reflect.metadata(key, value) : undefined;
}
`,
  decorateParam: `export default function decorateParam(index, decorator) {
  return (target, key) => decorator(target, key, index);
}
`,
};

const importedFrom = '@oxc-project/runtime/helpers/';
const scheme = 'evenkeel-decorator:';

/** Returns the URL of a helper; undefined for all other imports. */
export function decoratorHelperUrl(specifier: string): string | undefined {
  const name = specifier.startsWith(importedFrom) ? specifier.slice(importedFrom.length) : undefined;
  return name !== undefined && Object.hasOwn(helpers, name) ? scheme + name : undefined;
}

export function decoratorHelperSource(url: string): string | undefined {
  const name = url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
  return name !== undefined && Object.hasOwn(helpers, name) ? helpers[name] : undefined;
}
