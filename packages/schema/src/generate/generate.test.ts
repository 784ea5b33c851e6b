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

/** The findings about a class, in one line each, without their files. */
async function findingsOf(type: AnyClass): Promise<string[]> {
  return (await generateCustomResourceDefinitions([type])).findings.map(textOf);
}

function textOf({ level, code, ...finding }: Finding): string {
  const { location: _location, ...rest } = finding;
  return `${level} ${code}: ${findingText({ level, code, ...rest })}`;
}

describe('generateCustomResourceDefinitions()', () => {
  it('makes a CRD of a class, its decorators, its source and its initialisers', async () => {
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
  "notice inexact-constraint: Limits.memory: @IsInt is in the schema, which accepts less: JavaScript cannot hold whole numbers beyond 2^53 - 1; bound it with @Min() and @Max()",
]
`);
  });

  it('makes the same text each time', async () => {
    const sources = await readSources(cacheUrl);
    const text = async () => customResourceDefinitionYaml(await customResourceDefinitionOf(Cache, sources));
    expect(await text()).toBe(await text());
  });

  it('tells without the source what only the source could say', async () => {
    const { definitions, findings } = await generateCustomResourceDefinitions([Cache]);
    expect(definitions).toEqual([]);
    expect(findings.map(textOf)).toMatchInlineSnapshot(`
[
  "error unknown-type: Backup.every: its type is not known; hand over the TypeScript that declares it, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator that says it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error unknown-type: CacheSpec.extra: its type is not known; hand over the TypeScript that declares it, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator that says it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error unknown-type: CacheSpec.labels: its type is not known; hand over the TypeScript that declares it, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator that says it: @IsString(), @IsInt(), @Type(() => X), ...",
  "notice inexact-constraint: Limits.memory: @IsInt is in the schema, which accepts less: JavaScript cannot hold whole numbers beyond 2^53 - 1; bound it with @Min() and @Max()",
]
`);
  });

  it('says, where it was not handed over, that the TypeScript would tell what a list has in it', async () => {
    await expect(customResourceDefinitionOf(Menu)).rejects.toMatchObject({
      code: 'unknown-type',
      message: expect.stringMatching(
        /^MenuSpec\.dishes: the type of its elements is not known; hand over the TypeScript that declares it, customResourceDefinitionOf\(Kind, await readSources\('src\/kind\.ts'\)\)/,
      ),
    });
  });

  it('names every mistake at once', async () => {
    expect(await findingsOf(Broken)).toMatchInlineSnapshot(`
[
  "error unknown-option: Broken: @CustomResource: unknown option "shortname"; did you mean "shortNames"?",
  "error invalid-option: Broken: @CustomResource: group "example" must be a lower-case DNS name with a dot, such as "web.example.com"",
  "error invalid-option: Broken: @CustomResource: version "V1" must be a lower-case DNS label, such as "v1alpha1"",
  "error invalid-option: Broken: @PrinterColumn "Size": jsonPath "spec.size" must be a path that begins with a dot, such as ".status.readyReplicas"",
  "error decorator-without-class: Broken.state: @Status() marks the property status; rename this one, or remove the decorator",
  "error unknown-type: BrokenSpec.anything: its type is not known; hand over the TypeScript that declares it, customResourceDefinitionOf(Kind, await readSources('src/kind.ts')) or validate(Kind, object, { sources }), or add a decorator that says it: @IsString(), @IsInt(), @Type(() => X), ...",
  "error conflicting-types: BrokenSpec.both: @IsString accepts only a string, @IsInt only an integer; remove one of them",
  "error transformed-property: BrokenSpec.fullName: @Expose({ name: 'full_name' }) is not supported: objects are the JSON on the wire: name the property full_name and remove @Expose",
  "error invalid-default: BrokenSpec.id: its initialiser gives another value each time, so it cannot be the default of the CRD; set it in the controller",
  "error conflicting-types: BrokenSpec.port: it is a number, but @IsPort accepts only a string; change the type or the decorator",
  "error transformed-property: BrokenSpec.since: @Type(() => Date) is not supported: times are strings in RFC 3339: declare it as a string with @IsRFC3339() and make the Date where you need it",
  "error transformed-property: BrokenSpec.size: @Transform() is not supported: objects are the JSON on the wire: declare the property as it is sent, and convert it in your code",
]
`);
    expect((await generateCustomResourceDefinitions([Broken])).definitions).toEqual([]);
    await expect(customResourceDefinitionOf(Broken)).rejects.toThrow(
      'Broken: @CustomResource: unknown option "shortname"',
    );
  });

  it('says of every decorator that the schema does not hold exactly why it does not', async () => {
    expect(await findingsOf(Vague)).toMatchInlineSnapshot(`
[
  "notice inexact-constraint: VagueSpec.often: @Min is not in the schema: its validateIf cannot be read",
  "notice inexact-constraint: VagueSpec.often: @IsInt is in the schema, which accepts less: JavaScript cannot hold whole numbers beyond 2^53 - 1; bound it with @Min() and @Max()",
  "notice inexact-constraint: VagueSpec.same: @IsEmpty is not in the schema: no number is empty to it, so that the validator accepts only a missing one",
  "notice inexact-constraint: VagueSpec.since: @IsJSON is only in part in the schema, which accepts more: it parses the text, of which the schema looks at the outer brackets alone",
  "notice inexact-constraint: VagueSpec.size: @ValidateIf is not in the schema: its function cannot be read, so no other decorator of the property is either, and only the type remains",
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
