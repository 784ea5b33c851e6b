import { ipLibrary } from './library/ip.ts';
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
import { type FunctionDeclaration, mergeLibraries } from './value/declaration.ts';
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
];

/**
 * All functions that Kubernetes 1.36 provides for new expressions in a CustomResourceDefinition (k8s.io/apiserver
 * `pkg/cel/environment/base.go`), except the authorizer, which such expressions cannot access.
 */
export const kubernetesFunctions: ReadonlyMap<string, FunctionDeclaration> = mergeLibraries(libraries);

/** The names of types. */
export const kubernetesTypes: ReadonlyMap<string, CelTypeValue> = new Map(
  libraries.flatMap(({ types = [] }) =>
    types.map((type): [string, CelTypeValue] => [type.name, new CelTypeValue(type)]),
  ),
);
