import type { FieldError } from '@evenkeel/apimachinery/field-error';

type Fix = readonly [rejection: RegExp, fix: string];

/** The fix in the class for each error message of the API server. The first match is used. */
export const rejectionFixes: readonly Fix[] = [
  [/must not have unknown fields/, 'remove the undeclared fields from the default'],
  [/must be array if x-kubernetes-list-type/, '@ListType belongs on a list'],
  [/must be map if x-kubernetes-list-map-keys/, "write @ListType('map', ...keys), or remove the keys"],
  [/must not be empty if x-kubernetes-list-type is map/, "name the key properties: @ListType('map', 'name')"],
  [/entries must all be names of item properties/, 'name properties of the class of the items'],
  [/must not contain duplicate entries/, 'name each key once'],
  [
    /must be a scalar type if parent array/,
    'keys of a list map are strings, numbers or booleans: name another property',
  ],
  [
    /must be object if parent array/,
    "only lists of objects are maps; for a list of single values write @ListType('set')",
  ],
  [
    /in x-kubernetes-list-map-keys, so it must have a default/,
    'it is a key of a list: remove the "?" or @IsOptional(), or add an initialiser',
  ],
  [/in x-kubernetes-list-map-keys, so it cannot be nullable/, 'it is a key of a list: remove @Nullable()'],
  [
    /must be atomic as item of a list with x-kubernetes-list-type=set/,
    "items of a set are compared whole: add @MapType('atomic') to their class or @Items(ListType('atomic')) to the list",
  ],
  [/items cannot be nullable|nullable.*list-type/, 'remove @Nullable() from the items'],
  [/uniqueItems cannot be set to true/, "write @ListType('set') instead"],
  [/must be object if x-kubernetes-map-type/, '@MapType belongs on a class or a map'],
  [
    /must be specified$/,
    'declare the type of its items: @Type(() => X), @IsString({ each: true }), or a type that the generator can read',
  ],
  [/must not be empty (?:for specified|at the root)/, 'give it a type, in TypeScript or by a decorator'],
  [/must not be used at the root/, 'declare the properties of the class one by one'],
  [/must be object if x-kubernetes-embedded-resource/, '@EmbeddedResource belongs on an object'],
  [/nullable cannot be true at the root/, 'remove @Nullable(): the object itself is never null'],
  [
    /fields are allowed at the root of the schema if the status subresource/,
    'move the decorators of the whole object to the class of its spec',
  ],
  [
    /additionalProperties and properties are mutual exclusive/,
    'an object has either named properties or values under any name: split it',
  ],
  [/other than name and generateName/, 'restrict only name and generateName of the metadata'],
  [/must not be set in top-level/, 'apiVersion, kind and metadata have no defaults'],
  [
    /may only be set when `version\.schema\.openAPIV3Schema` is not included/,
    'versions whose schemas are the same must have the same @SelectableField in each class, in the same order; a JSDoc comment on one of the classes makes the schemas differ',
  ],
  [
    /protected groups must have approval annotation/,
    "use a group of your own domain; only the Kubernetes project uses *.k8s.io and *.kubernetes.io, with annotations: { 'api-approved.kubernetes.io': '...' }",
  ],
  [/supported values: "FieldValueDuplicate"/, 'give @Rule one of these reasons, or omit the reason'],
  [
    /must be a valid path/,
    'write a fieldPath that starts with a dot and leads to a property of the class, such as ".limits.cpu"',
  ],
  [/may not be set if oldSelf is not used/, 'remove optionalOldSelf, or use oldSelf in the rule'],
  [
    /oldSelf cannot be used on the uncorrelatable portion/,
    "items of such a list have no old value: give the list @ListType('map', ...keys), or put the rule on the list itself",
  ],
  [/message must be specified if rule contains line breaks/, 'give @Rule a message, or write the rule on one line'],
  [/must not contain line breaks/, 'write it on one line'],
  [
    /rule is not specified|must be non-empty if specified|must not be blank/,
    'write an expression, or remove the option',
  ],
  [/must be no more than 253 characters/, 'give it a shorter plural or group'],
  [
    /to be structural$/,
    'declare this at the property itself: branches of allOf, anyOf, oneOf and not cannot declare it',
  ],
  [/^because it is defined in /, 'add the property to the class: branches can name only declared properties'],
  [/must not be specified in a nested context/, 'remove metadata from the branch: branches cannot check it'],
  [
    /must be a valid regular expression/,
    'write an RE2 expression: without lookaround and backreferences, and without counts above 1000',
  ],
  [/if x-kubernetes-embedded-resource is true without/, 'give @EmbeddedResource a class with properties, or no class'],
  [/must not be used if x-kubernetes-embedded-resource/, '@EmbeddedResource belongs on an object, not on a map'],
  [/must not be used inside of resource meta/, 'remove @EmbeddedResource: metadata contains no other objects'],
  [/must be false if x-kubernetes-int-or-string/, 'remove @PreserveUnknownFields and @EmbeddedResource'],
  [/must be true or undefined/, 'remove the keyword'],
  [/type cannot be set to null/, 'add @Nullable() and the type of its other values'],
  [/items must be a schema object|must only have a single schema/, 'write one schema for all items'],
  [/must have a schema if x-kubernetes-list-type is map/, 'give the list a class for its items'],
  [
    /^(?:\$ref|id|definitions|dependencies|patternProperties|additionalItems) is not supported$|^OpenAPIV3Schema '/,
    'remove it from @Schema: structural schemas do not have this keyword',
  ],
  [
    /unable to convert structural schema to CEL declarations|failed to convert to declType/,
    'put the rule on the object above, or give the property a type: a rule cannot read a property without a type',
  ],
  [/^must be (?:string|object)$/, 'remove the declarations of apiVersion, kind and metadata: every object has them'],
];

/** The fix for an error of the API server; undefined if the error explains itself. */
export function fixOfRejection({ detail }: FieldError): string | undefined {
  return rejectionFixes.find(([rejection]) => rejection.test(detail))?.[1];
}
