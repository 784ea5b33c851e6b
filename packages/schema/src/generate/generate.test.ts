import type { AnyClass } from '@evenkeel/core';
import { type Finding, findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { customResourceDefinitionFileName, customResourceDefinitionYaml } from '../yaml/yaml.ts';
import { Cache } from './cache.fixture.ts';
import { customResourceDefinitionOf, customResourcesIn, generateCustomResourceDefinitions } from './generate.ts';
import { Broken, Menu, Vague } from './mistakes.fixture.ts';

const cacheUrl = new URL('./cache.fixture.ts', import.meta.url).href;

function readSources(url: string): Promise<ClassSources> {
  return ClassSources.read([url], { reader: new OxcSourceReader(), importModule: (module) => import(module) });
}

/** The findings of a class, one per line, without their files. */
async function findingsOf(type: AnyClass): Promise<string[]> {
  return (await generateCustomResourceDefinitions([type])).findings.map(textOf);
}

function textOf({ level, code, ...finding }: Finding): string {
  const { location: _location, ...rest } = finding;
  return `${level} ${code}: ${findingText({ level, code, ...rest })}`;
}

describe('generateCustomResourceDefinitions()', () => {
  it('generates a CRD from the decorators, the source and the initialisers of a class', async () => {
    const { definitions, findings } = await generateCustomResourceDefinitions(
      customResourcesIn(await import(cacheUrl)),
      await readSources(cacheUrl),
    );
    expect(definitions.map(customResourceDefinitionFileName)).toEqual(['cache.example.com_caches.yaml']);
    expect(definitions.map(customResourceDefinitionYaml).join('---\n')).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Cache: change that, not this.

apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: caches.cache.example.com
spec:
  group: cache.example.com
  names:
    categories:
      - all
    kind: Cache
    listKind: CacheList
    plural: caches
    shortNames:
      - ca
    singular: cache
  scope: Cluster
  versions:
    - additionalPrinterColumns:
        - jsonPath: .status.readyMembers
          name: Ready
          type: integer
        - jsonPath: .metadata.creationTimestamp
          name: Age
          type: date
      name: v1alpha1
      schema:
        openAPIV3Schema:
          description: A cache of some members.
          properties:
            apiVersion:
              type: string
            kind:
              type: string
            metadata:
              type: object
            spec:
              description: What is asked for.
              properties:
                backup:
                  description: Where copies go.
                  properties:
                    bucket:
                      type: string
                    every:
                      description: How often.
                      enum:
                        - hour
                        - day
                      type: string
                  required:
                    - bucket
                  type: object
                eviction:
                  default: lru
                  enum:
                    - lru
                    - lfu
                  type: string
                extra:
                  type: object
                  x-kubernetes-preserve-unknown-fields: true
                hosts:
                  default: []
                  items:
                    type: string
                  type: array
                labels:
                  additionalProperties:
                    type: string
                  type: object
                limits:
                  default: {}
                  properties:
                    cpu:
                      minimum: 0.5
                      not:
                        maximum: 0
                        minimum: 0
                      type: number
                    memory:
                      default: 64
                      description: In megabytes.
                      maximum: 9007199254740991
                      minimum: -9007199254740991
                      type: integer
                  type: object
                owner:
                  maxLength: 63
                  minLength: 1
                  pattern: ^[a-zA-Z]\\w*$
                  type: string
                ports:
                  items:
                    properties:
                      name:
                        type: string
                      port:
                        maximum: 65535
                        minimum: 1
                        type: integer
                    required:
                      - name
                      - port
                    type: object
                  maxItems: 8
                  minItems: 1
                  type: array
                read-only:
                  default: false
                  type: boolean
                size:
                  default: 3
                  description: |-
                    How many members.

                    An odd number, see Limits.
                  maximum: 5
                  minimum: 1
                  type: integer
                tier:
                  default: bronze
                  enum:
                    - bronze
                    - silver
                  type: string
              required:
                - owner
                - ports
              type: object
            status:
              properties:
                conditions:
                  items:
                    description: One aspect of the state, and since when it holds.
                    properties:
                      lastTransitionTime:
                        description: When the status last changed.
                        format: date-time
                        type: string
                      message:
                        description: Why, as a sentence for people; may be empty.
                        maxLength: 32768
                        type: string
                      observedGeneration:
                        description: The metadata.generation from which this was concluded.
                        format: int64
                        minimum: 0
                        type: integer
                      reason:
                        description: Why, as one word for programs.
                        maxLength: 1024
                        minLength: 1
                        pattern: ^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$
                        type: string
                      status:
                        description: Whether it holds.
                        enum:
                          - "True"
                          - "False"
                          - Unknown
                        type: string
                      type:
                        description: The aspect, in CamelCase, such as Available.
                        maxLength: 316
                        pattern: ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$
                        type: string
                    required:
                      - lastTransitionTime
                      - message
                      - reason
                      - status
                      - type
                    type: object
                  type: array
                  x-kubernetes-list-map-keys:
                    - type
                  x-kubernetes-list-type: map
                readyMembers:
                  type: integer
              type: object
          required:
            - spec
          type: object
      served: true
      storage: true
      subresources:
        scale:
          specReplicasPath: .spec.size
          statusReplicasPath: .status.readyMembers
        status: {}
"
`);
    expect(findings.map(textOf)).toMatchInlineSnapshot(`
[
  "notice inexact-constraint: Limits.memory: @IsInt is in the schema, which accepts less: JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()",
]
`);
  });

  it('generates the same output each time', async () => {
    const sources = await readSources(cacheUrl);
    const text = async () => customResourceDefinitionYaml(await customResourceDefinitionOf(Cache, sources));
    expect(await text()).toBe(await text());
  });

  it('reports without sources which types only the source contains', async () => {
    const { definitions, findings } = await generateCustomResourceDefinitions([Cache]);
    expect(definitions).toEqual([]);
    expect(findings.map(textOf)).toMatchInlineSnapshot(`
[
  "error unknown-type: Backup.every: its type is unknown; pass its TypeScript source, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error unknown-type: CacheSpec.extra: its type is unknown; pass its TypeScript source, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error unknown-type: CacheSpec.labels: its type is unknown; pass its TypeScript source, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...",
  "notice inexact-constraint: Limits.memory: @IsInt is in the schema, which accepts less: JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()",
]
`);
  });

  it('asks for the source if the element type of a list is unknown', async () => {
    await expect(customResourceDefinitionOf(Menu)).rejects.toMatchObject({
      code: 'unknown-type',
      message: expect.stringMatching(
        /^MenuSpec\.dishes: the type of its elements is unknown; pass its TypeScript source, customResourceDefinitionOf\(Kind, await readSources\('src\/kind\.ts'\)\)/,
      ),
    });
  });

  it('reports all errors at once', async () => {
    expect(await findingsOf(Broken)).toMatchInlineSnapshot(`
[
  "error unknown-option: Broken: @CustomResource: unknown option "shortname"; did you mean "shortNames"?",
  "error invalid-option: Broken: @CustomResource: group "example" must be a lower-case DNS name with a dot, such as "web.example.com"",
  "error invalid-option: Broken: @CustomResource: version "V1" must be a lower-case DNS label, such as "v1alpha1"",
  "error invalid-option: Broken: @PrinterColumn "Size": jsonPath "spec.size" must be a path that starts with a dot, such as ".status.readyReplicas"",
  "error decorator-without-class: Broken.state: @Status() is only for the property status; rename this property, or remove the decorator",
  "error unknown-type: BrokenSpec.anything: its type is unknown; pass its TypeScript source, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator for it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error conflicting-types: BrokenSpec.both: @IsString accepts only a string, @IsInt only an integer; remove one of them",
  "error transformed-property: BrokenSpec.fullName: @Expose({ name: 'full_name' }) is not supported: objects are exactly their JSON; name the property full_name and remove @Expose",
  "error invalid-default: BrokenSpec.id: its initialiser returns a different value each time, so it cannot be the default of the CRD; set it in the controller",
  "error conflicting-types: BrokenSpec.port: it is a number, but @IsPort accepts only a string; change the type or the decorator",
  "error transformed-property: BrokenSpec.since: @Type(() => Date) is not supported: times are RFC 3339 strings; declare it as a string with @IsRFC3339(), and create a Date in your code",
  "error transformed-property: BrokenSpec.size: @Transform() is not supported: objects are exactly their JSON; declare the property as it is in the JSON, and convert it in your code",
]
`);
    expect((await generateCustomResourceDefinitions([Broken])).definitions).toEqual([]);
    await expect(customResourceDefinitionOf(Broken)).rejects.toThrow(
      'Broken: @CustomResource: unknown option "shortname"',
    );
  });

  it('reports each inexact decorator with the reason', async () => {
    expect(await findingsOf(Vague)).toMatchInlineSnapshot(`
[
  "notice inexact-constraint: VagueSpec.often: @Min is not in the schema: its validateIf cannot be translated",
  "notice inexact-constraint: VagueSpec.often: @IsInt is in the schema, which accepts less: JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()",
  "notice inexact-constraint: VagueSpec.same: @IsEmpty is not in the schema: the validator accepts no number here, only a missing value",
  "notice inexact-constraint: VagueSpec.since: @IsJSON is only partly in the schema, which accepts more: the validator parses the string, but the schema checks only the outer brackets",
  "notice inexact-constraint: VagueSpec.size: @ValidateIf is not in the schema: its function cannot be translated, so the schema contains only the type, and no other decorator of the property",
]
`);
    expect(
      (await customResourceDefinitionOf(Vague)).spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'],
    ).toEqual({
      type: 'object',
      properties: {
        since: { type: 'string', pattern: expect.stringContaining('(?s:.*)') },
        size: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        same: { type: 'number' },
        often: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      },
      required: ['since'],
    });
  });
});
