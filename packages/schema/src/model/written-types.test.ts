import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { findingText } from '../finding/finding.ts';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { Decorated } from './decorated-types.fixture.ts';
import { Odd } from './odd-types.fixture.ts';
import { Refused } from './refused-types.fixture.ts';

const url = new URL('./odd-types.fixture.ts', import.meta.url).href;

describe('readWrittenType', () => {
  let schemas: Readonly<Record<string, StructuralSchema>>;
  let findings: string[];
  beforeAll(async () => {
    const reader = new OxcSourceReader();
    const sources = await ClassSources.read([url], { reader, importModule: (module) => import(module) });
    const generated = await generateCustomResourceDefinitions([Odd], sources);
    findings = generated.findings.map((finding) => findingText({ ...finding, location: undefined } as never));
    const schema = generated.definitions[0]?.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema | undefined;
    schemas = schema?.properties?.['spec']?.properties ?? {};
  });

  it('reports the parts of declared types that the schema does not express', () => {
    expect(findings.filter((text) => !text.includes('@MaxLength'))).toMatchInlineSnapshot(`
[
  "OddSpec.template: for \`\${number}Gi\` the schema requires only a string; add @Matches() for its form",
  "OddSpec.byLevel: for the keys \`\${string}.example.com\` the schema checks nothing; a @Rule() can check them",
  "OddSpec.either: "?" allows it to be missing, but @IsDefined rejects that in the operator (the API server accepts it); remove one of the two",
]
`);
  });

  it('translates declared types into schemas', () => {
    const texts = Object.entries(schemas).map(([name, schema]) => `${name}: ${JSON.stringify(schema)}`);
    expect(texts.filter((text) => text.length < 700)).toMatchInlineSnapshot(`
[
  "1: {"type":"string"}",
  "alias: {"type":"string","enum":["s","l"]}",
  "all: {"type":"array","items":{"type":"string","enum":["x","y"]},"default":[]}",
  "amount: {"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true,"pattern":"^(\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\\\+|-)?(([0-9]+(\\\\.[0-9]*)?)|(\\\\.[0-9]+))))?$"}",
  "atLeastOne: {"type":"array","items":{"type":"string"},"minItems":1}",
  "backend: {"type":"object","properties":{"path":{"type":"string"},"port":{"type":"number"},"type":{"type":"string","enum":["http","tcp"]}},"required":["type"],"x-kubernetes-validations":[{"rule":"self.type == \\"http\\" ? has(self.path) : !has(self.path)","message":"path must be set if type is http, and must not be set otherwise","fieldPath":".path"},{"rule":"self.type == \\"tcp\\" ? has(self.port) : !has(self.port)","message":"port must be set if type is tcp, and must not be set otherwise","fieldPath":".port"}]}",
  "base: {"type":"object","properties":{"cipher":{"type":"string"},"days":{"type":"integer","maximum":9,"minimum":1,"default":5},"secretName":{"type":"string","maxLength":10}},"required":["secretName"],"description":"From the base class."}",
  "branded: {"type":"string"}",
  "byLevel: {"type":"object","additionalProperties":{"type":"number"}}",
  "childMetadata: {"type":"object","properties":{"annotations":{"type":"object","additionalProperties":{"type":"string"}},"finalizers":{"type":"array","items":{"type":"string"}},"labels":{"type":"object","additionalProperties":{"type":"string"}},"name":{"type":"string"},"namespace":{"type":"string"}}}",
  "either: {"type":"string","enum":["x","y"]}",
  "endpoint: {"type":"object","properties":{"name":{"type":"string"},"port":{"type":"number","description":"Where it listens."}},"required":["name","port"]}",
  "fixed: {"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}",
  "fixedPartly: {"type":"object","properties":{"a":{"type":"number"}}}",
  "frozen: {"type":"array","items":{"type":"string"}}",
  "generic: {"type":"object","properties":{"next":{"type":"object","properties":{"value":{"type":"object","properties":{"cipher":{"type":"string"},"days":{"type":"integer","maximum":9,"minimum":1,"default":5},"secretName":{"type":"string","maxLength":10}},"required":["secretName"]}},"required":["value"]},"value":{"type":"object","properties":{"cipher":{"type":"string"},"days":{"type":"integer","maximum":9,"minimum":1,"default":5},"secretName":{"type":"string","maxLength":10}},"required":["secretName"]}},"required":["value"]}",
  "given: {"type":"object","properties":{"name":{"type":"string"},"size":{"type":"number","description":"How large.","default":3}}}",
  "image: {"type":"object","properties":{"image":{"type":"string"},"name":{"type":"string"}},"required":["name"]}",
  "imageOnly: {"type":"object","properties":{"image":{"type":"string"}}}",
  "imported: {"type":"string","enum":["up","down"]}",
  "indexed: {"type":"object","additionalProperties":{"type":"boolean"}}",
  "inline: {"type":"object","properties":{"name":{"type":"string","description":"Its name."},"ports":{"type":"array","items":{"type":"object","properties":{"port":{"type":"number"},"x-y":{"type":"string"}},"required":["port"]}}},"required":["name"]}",
  "keys: {"type":"string","enum":["Small","Large"]}",
  "level: {"type":"integer","enum":[0,5]}",
  "listed: {"type":"string","enum":["a","b"]}",
  "made: {"type":"object","properties":{"port":{"type":"number","maximum":9,"minimum":1,"default":5}},"default":{}}",
  "mapped: {"type":"object","additionalProperties":{"type":"array","items":{"type":"string"}}}",
  "matrix: {"type":"array","items":{"type":"array","items":{"type":"number"}}}",
  "mounts: {"type":"object","additionalProperties":{"type":"array","items":{"type":"object","required":["mountPath","name"],"properties":{"mountPath":{"type":"string"},"mountPropagation":{"type":"string"},"name":{"type":"string"},"readOnly":{"type":"boolean"},"recursiveReadOnly":{"type":"string"},"subPath":{"type":"string"},"subPathExpr":{"type":"string"}}}}}",
  "named: {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}",
  "namespaced: {"type":"string","enum":["up"]}",
  "never: {"type":"string"}",
  "nullables: {"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"number"}}}",
  "omitted: {"type":"object","properties":{"secretName":{"type":"string","maxLength":10}},"required":["secretName"]}",
  "oneLevel: {"type":"integer","enum":[5,0]}",
  "open: {"type":"string"}",
  "owners: {"type":"array","items":{"type":"object","x-kubernetes-map-type":"atomic","required":["apiVersion","kind","name","uid"],"properties":{"apiVersion":{"type":"string"},"blockOwnerDeletion":{"type":"boolean"},"controller":{"type":"boolean"},"kind":{"type":"string"},"name":{"type":"string"},"uid":{"type":"string"}}}}",
  "page: {"type":"object","properties":{"items":{"type":"array","items":{"type":"string","enum":["on","off"]}}},"required":["items"]}",
  "pair: {"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}",
  "partial: {"type":"object","properties":{"cipher":{"type":"string"},"days":{"type":"integer","maximum":9,"minimum":1,"default":5},"secretName":{"type":"string","maxLength":10}}}",
  "port: {"anyOf":[{"type":"integer"},{"type":"string"}],"x-kubernetes-int-or-string":true}",
  "quoted-name: {"type":"string"}",
  "range: {"type":"array","items":{"type":"number"},"minItems":1,"maxItems":2}",
  "required: {"type":"object","properties":{"cipher":{"type":"string"},"days":{"type":"integer","maximum":9,"minimum":1,"default":5}},"required":["cipher"]}",
  "root: {"type":"string","enum":["x","y"]}",
  "steps: {"type":"array","items":{"type":"object","properties":{"command":{"type":"string"},"kind":{"type":"string","enum":["wait","run"]},"seconds":{"type":"number"}},"required":["kind"],"x-kubernetes-validations":[{"rule":"self.kind == \\"run\\" ? has(self.command) : !has(self.command)","message":"command must be set if kind is run, and must not be set otherwise","fieldPath":".command"},{"rule":"self.kind == \\"wait\\" ? has(self.seconds) : !has(self.seconds)","message":"seconds must be set if kind is wait, and must not be set otherwise","fieldPath":".seconds"}]}}",
  "template: {"type":"string"}",
  "union: {"type":"string","enum":["a","b","c"]}",
  "whatever: {"type":"object","x-kubernetes-preserve-unknown-fields":true}",
  "with: {"type":"string","enum":["b"]}",
  "without: {"type":"string","enum":["a","c"]}",
]
`);
  });

  it('keeps the declared changes of a class that @Type also names', () => {
    expect(Object.keys(schemas['typed']?.properties ?? {})).toContain('containers');
    expect(schemas['typed']).not.toHaveProperty('required');
  });

  it('adds or replaces properties of a Kubernetes type that a class extends', () => {
    const { properties, required, description } = schemas['runner'] ?? {};
    expect(description).toBe("A class of the user's that adds to one of Kubernetes' own.");
    expect(required).toEqual(['containers', 'restartPolicy']);
    expect(properties?.['containers']?.['x-kubernetes-list-map-keys']).toEqual(['name']);
    expect(properties?.['restartPolicy']).toEqual({ type: 'string', enum: ['Never'] });
    expect(properties?.['parallelism']).toEqual({
      type: 'integer',
      description: 'How many of them.',
      default: 1,
      minimum: 0,
      maximum: 9,
    });
  });

  it('reads Kubernetes types in lists and through namespaces', () => {
    expect(schemas['templates']?.items?.properties?.['spec']?.required).toEqual(['containers']);
    expect(schemas['conditions']?.['x-kubernetes-list-map-keys']).toEqual(['type']);
    expect(schemas['conditions']?.items?.properties?.['status']?.enum).toEqual(['True', 'False', 'Unknown']);
    expect(Object.keys(schemas['cpu']?.properties ?? {})).toEqual(['claims', 'limits', 'requests']);
  });
});

describe('readWrittenType with types that a schema cannot express', () => {
  it('reports all of them at once with the fix', async () => {
    const refused = new URL('./refused-types.fixture.ts', import.meta.url).href;
    const reader = new OxcSourceReader();
    const sources = await ClassSources.read([refused], { reader, importModule: (module) => import(module) });
    const { findings, definitions } = await generateCustomResourceDefinitions([Refused], sources);
    expect(definitions).toEqual([]);
    const reported = findings.map(({ code, location, className, property, message }) => {
      expect(location?.file).toMatch(/refused-types/);
      return `${code}: ${className}${property === undefined ? '' : `.${property}`}: ${message}`;
    });
    expect(reported).toMatchInlineSnapshot(`
[
  "recursive-class: Tree.children: Tree.children -> Tree is a cycle, which a structural schema cannot express; make Tree a class, because an interface has no decorators, and add @Recursive(levels) to its property to repeat it that many times, or @PreserveUnknownFields() to keep whatever is sent there",
  "recursive-class: RefusedSpec.grown.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next.next: the schema would have more than 2000 classes or more than 100 levels; give @Recursive() fewer levels",
  "unknown-type: Mixed: a schema cannot express an index signature beside properties; move the map to a separate property of type Record<string, X>",
  "unknown-type: RefusedSpec.variants: a structural schema has one type for each property; give each of the classes a discriminator property, such as type: 'http' = 'http', and export them; or declare one class with an optional property for each variant and add @Union('type', { Http: 'http', ... }) to it",
  "unknown-type: RefusedSpec.either: a structural schema has one type for each property; give each of the classes a discriminator property, such as type: 'http' = 'http', and export them; or declare one class with an optional property for each variant and add @Union('type', { Http: 'http', ... }) to it",
  "unknown-type: RefusedSpec.numberOrText: a structural schema has one type for each property; declare it as IntOrString of @evenkeel/kinds, or add @IsIntOrString() or @IsQuantity()",
  "unknown-type: RefusedSpec.textOrFlag: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.list: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.mixedTuple: a list has one type of elements in a schema, but this tuple has several; use a class with a property for each",
  "unknown-type: RefusedSpec.member: PodSpec['containers'][number] has no counterpart in a schema; write the type by its name, such as Container for PodSpec["containers"][number]",
  "unknown-type: RefusedSpec.big: bigint has no counterpart in a schema; use number, or a string with @Matches()",
  "unknown-type: RefusedSpec.date: times are RFC 3339 strings; declare it as a string with @IsRFC3339()",
  "unknown-type: RefusedSpec.map: objects are exactly their JSON, which has no Map; declare it as Record<string, X>",
  "unknown-type: RefusedSpec.sets: objects are exactly their JSON, which has no Set; declare it as an array with @ArrayUnique()",
  "unknown-type: RefusedSpec.bytes: objects are exactly their JSON, which has no bytes; declare it as a string with @IsBase64()",
  "unknown-type: RefusedSpec.call: () => void has no counterpart in a schema; make it a method",
  "unknown-type: RefusedSpec.promised: objects are exactly their JSON, which has no Promise; declare the type that it resolves to",
  "unknown-type: RefusedSpec.box: the type arguments that Box gets do not exist at run time; extend it: class X extends Box<...> {}, and use X",
  "unknown-type: RefusedSpec.hidden: the class Hidden cannot be reached from here; export Hidden, or add @Type(() => Hidden)",
  "unknown-type: RefusedSpec.both: the interface Both extends a type that the generator cannot read; make it a class that extends one class",
  "unknown-type: RefusedSpec.foreign: the interface Foreign extends a type that the generator cannot read; make it a class that extends one class",
  "unknown-type: RefusedSpec.loop: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.inner: the name Space.Inner is not found among the classes, types and imports of this file; import it from where it is declared, or write the type out",
  "unknown-type: RefusedSpec.grid: Grid has no counterpart in a schema; make this recursive type a class, whose property can have @Recursive(levels)",
  "unknown-type: RefusedSpec.doubled: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.mapped: { [K in 'a' | 'b']: string } has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.joined: Left & Right has no counterpart in a schema; declare one class with the properties of all of them",
  "unknown-type: RefusedSpec.keys: keyof Container has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.looseKeys: typeof loose has no counterpart in a schema; add "as const" to loose, or list the values",
  "unknown-type: RefusedSpec.changed: Partial<...> is supported only for classes and objects; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.braced: a schema cannot express an index signature beside properties; move the map to a separate property of type Record<string, X>",
  "unknown-type: RefusedSpec.anything: its type allows any value; use string, number, boolean, a union of literals, an array, Record<string, X> or a class, or add @PreserveUnknownFields() to keep whatever is sent",
  "unknown-type: RefusedSpec.some: its type allows any value; use string, number, boolean, a union of literals, an array, Record<string, X> or a class, or add @PreserveUnknownFields() to keep whatever is sent",
  "unknown-type: RefusedSpec.object: its properties are unknown, so the API server would prune all of them; use a class, or Record<string, unknown> to keep whatever is sent",
  "unknown-type: RefusedSpec.conditional: Http extends Tcp ? string : number has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.symbol: symbol has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.options: ServerOptions of "node:http" is unknown, because only your own sources are read; add @Type(() => ServerOptions) if it is a class, or write the type out",
  "unknown-type: RefusedSpec.state: ConditionStatus of "@evenkeel/core" is unknown, because only your own sources are read; add @Type(() => ConditionStatus) if it is a class, or write the type out",
  "invalid-option: RefusedSpec.embedded: @EmbeddedResource(() => PodTemplateSpec): it is not a kind, but an embedded resource must have apiVersion and kind; declare the property as PodTemplateSpec and remove the decorator",
  "unknown-type: RefusedSpec.oneCondition: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.nothing: never has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.erased: the class Erased is imported or exported only as a type, so it does not exist at run time; write import { Erased } without "type"",
  "unknown-type: RefusedSpec.erasedList: the class Erased is imported or exported only as a type, so it does not exist at run time; write import { Erased } without "type"",
  "unknown-type: RefusedSpec.returned: ReturnType<...> has no counterpart in a schema; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "unknown-type: RefusedSpec.global: the name URL is not found among the classes, types and imports of this file; import it from where it is declared, or write the type out",
]
`);
  });

  it('refuses a type of which decorators and initialisers name only a part, but not a type that it cannot read', async () => {
    const decorated = new URL('./decorated-types.fixture.ts', import.meta.url).href;
    const reader = new OxcSourceReader();
    const sources = await ClassSources.read([decorated], { reader, importModule: (module) => import(module) });
    const { findings, definitions } = await generateCustomResourceDefinitions([Decorated], sources);
    expect(definitions).toEqual([]);
    expect(findings.map(({ level, property, message }) => `${level} ${property}: ${message}`)).toMatchInlineSnapshot(`
[
  "error initialised: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "error emptyList: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "error object: a structural schema has one type for each property; give each of the classes a discriminator property, such as type: 'http' = 'http', and export them; or declare one class with an optional property for each variant and add @Union('type', { Http: 'http', ... }) to it",
  "error literals: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "error decorated: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
  "error durationOrFlag: it is a boolean or a string, but @IsDuration() applies to a string; change the type or the decorator",
  "error numberOrText: it is a number or a string, but @IsDuration() applies to a string; change the type or the decorator",
  "error flagOrText: it is a boolean or a string, but @IsIntOrString() applies to a number or a string; change the type or the decorator",
  "error either: it is an object, but @IsQuantity() applies to a number or a string; change the type or the decorator",
  "error date: times are RFC 3339 strings; declare it as a string with @IsRFC3339()",
  "error map: objects are exactly their JSON, which has no Map; declare it as Record<string, X>",
  "notice anything: its declared type is not in the schema: its type allows any value; use string, number, boolean, a union of literals, an array, Record<string, X> or a class, or add @PreserveUnknownFields() to keep whatever is sent",
  "notice unread: its declared type is not in the schema: ServerOptions of "node:http" is unknown, because only your own sources are read; add @Type(() => ServerOptions) if it is a class, or write the type out",
  "notice unreadOrText: its declared type is not in the schema: a structural schema has one type for each property, but this union has several; use string, number, boolean, a union of literals, an array, Record<string, X> or a class",
]
`);
  });
});
