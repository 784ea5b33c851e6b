import { authorizerLibrary } from './library/authorizer.ts';
import { patchTypeOf } from './library/constructed-object.ts';
import { ipLibrary } from './library/ip.ts';
import { jsonPatchLibrary } from './library/json-patch.ts';
import { listLibrary } from './library/lists.ts';
import { namedFormatLibrary } from './library/named-format.ts';
import { optionalLibrary } from './library/optional.ts';
import { quantityLibrary } from './library/quantity.ts';
import { regexLibrary } from './library/regex.ts';
import { semverLibrary } from './library/semver.ts';
import { setLibrary } from './library/sets.ts';
import { standardLibrary } from './library/standard.ts';
import { stringLibrary } from './library/strings.ts';
import { urlLibrary } from './library/url.ts';
import { type ConstructibleType, type FunctionDeclaration, mergeLibraries } from './value/declaration.ts';
import { CelTypeValue } from './value/value.ts';

const libraries = [
  standardLibrary,
  optionalLibrary,
  stringLibrary,
  listLibrary,
  setLibrary,
  regexLibrary,
  urlLibrary,
  quantityLibrary,
  ipLibrary,
  namedFormatLibrary,
  semverLibrary,
  authorizerLibrary,
];

/** What expressions can use besides their variables. */
export interface CelEnvironment {
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** The names of types. */
  readonly types: ReadonlyMap<string, CelTypeValue>;
  /** Returns the type whose values expressions can construct as `Name{}`. Default: there is none. */
  constructible?(name: string): ConstructibleType | undefined;
}

/**
 * All functions that Kubernetes 1.36 provides for new expressions (k8s.io/apiserver `pkg/cel/environment/base.go`). Those of
 * the authorizer need a variable, which only expressions of admission have.
 */
export const kubernetesEnvironment: CelEnvironment = {
  functions: mergeLibraries(libraries),
  types: new Map(
    libraries.flatMap(({ types = [] }) =>
      types.map((type): [string, CelTypeValue] => [type.name, new CelTypeValue(type)]),
    ),
  ),
};

/** The same with patches, for the expressions of mutating policies. */
export const patchEnvironment: CelEnvironment = {
  ...kubernetesEnvironment,
  functions: mergeLibraries([...libraries, jsonPatchLibrary]),
  constructible: patchTypeOf,
};
