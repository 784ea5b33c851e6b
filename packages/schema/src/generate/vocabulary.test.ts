import { findingText } from '../finding/finding.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { customResourceDefinitionYaml } from '../yaml/yaml.ts';
import { generateCustomResourceDefinitions } from './generate.ts';
import { Word } from './vocabulary.fixture.ts';

const url = new URL('./vocabulary.fixture.ts', import.meta.url).href;

describe('every decorator', () => {
  it('is translated into the schema', async () => {
    const sources = await ClassSources.read([url], {
      reader: new OxcSourceReader(),
      importModule: (module) => import(module),
    });
    const { definitions, findings } = await generateCustomResourceDefinitions([Word], { sources });
    expect(findings.filter(({ level }) => level === 'error').map(findingText)).toEqual([]);
    expect(definitions.map(customResourceDefinitionYaml).join('---\n')).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the class Word: change that, not this.

apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: words.vocabulary.example.com
spec:
  group: vocabulary.example.com
  names:
    kind: Word
    listKind: WordList
    plural: words
    singular: word
  scope: Namespaced
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          description: Uses every decorator.
          properties:
            apiVersion:
              type: string
            kind:
              type: string
            metadata:
              type: object
            spec:
              externalDocs:
                description: All words.
                url: https://example.com/words
              properties:
                $ref:
                  type: string
                a/b:
                  type: string
                anything:
                  type: object
                  x-kubernetes-embedded-resource: true
                  x-kubernetes-preserve-unknown-fields: true
                check:
                  properties:
                    http:
                      properties:
                        path:
                          maxLength: 100
                          type: string
                      required:
                        - path
                      type: object
                    tcp:
                      properties:
                        port:
                          default: 80
                          type: number
                      type: object
                    type:
                      enum:
                        - Http
                        - Tcp
                        - Either
                        - None
                      type: string
                  required:
                    - type
                  type: object
                  x-kubernetes-validations:
                    - fieldPath: .http
                      message: http must be set if type is Http, and must not be set otherwise
                      rule: 'self.type == "Http" ? has(self.http) : !has(self.http)'
                    - fieldPath: .tcp
                      message: tcp must be set if type is Tcp or Either, and must not be set otherwise
                      rule: 'self.type in ["Tcp", "Either"] ? has(self.tcp) : !has(self.tcp)'
                config:
                  default: {}
                  properties:
                    replicas:
                      default: 1
                      type: number
                  type: object
                count:
                  format: int32
                  maximum: 2147483647
                  minimum: -2147483648
                  type: integer
                every:
                  pattern: ^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$
                  type: string
                extra:
                  x-kubernetes-preserve-unknown-fields: true
                fives:
                  maximum: 9007199254740991
                  minimum: -9007199254740991
                  multipleOf: 5
                  type: integer
                groups:
                  properties:
                    exact-1:
                      type: string
                    exact2:
                      type: string
                    least1:
                      type: string
                    least2:
                      type: string
                    most1:
                      type: string
                    most2:
                      type: string
                  type: object
                  x-kubernetes-validations:
                    - message: exactly one of exact-1, exact2 must be set
                      rule: "(has(self.exact__dash__1) ? 1 : 0) + (has(self.exact2) ? 1 : 0) == 1"
                    - message: at most one of most1, most2 may be set
                      rule: "(has(self.most1) ? 1 : 0) + (has(self.most2) ? 1 : 0) <= 1"
                    - message: at least one of least1, least2 must be set
                      rule: has(self.least1) || has(self.least2)
                grows:
                  default: 0
                  maximum: 9007199254740991
                  minimum: -9007199254740991
                  type: integer
                  x-kubernetes-validations:
                    - message: must not shrink
                      optionalOldSelf: true
                      rule: self >= oldSelf.orValue(0)
                large:
                  default: 5
                  example: 7
                  externalDocs:
                    url: https://example.com/large
                  title: Large
                  type: number
                level:
                  allOf:
                    - enum:
                        - low
                        - high
                  default: low
                  nullable: true
                  type: string
                limits:
                  additionalProperties:
                    minimum: 0
                    type: number
                    x-kubernetes-validations:
                      - rule: self < 100.0
                  maxProperties: 3
                  minProperties: 1
                  type: object
                  x-kubernetes-map-type: atomic
                loose:
                  description: An object that keeps unknown fields.
                  properties:
                    known:
                      type: boolean
                  type: object
                  x-kubernetes-map-type: atomic
                  x-kubernetes-preserve-unknown-fields: true
                matrix:
                  items:
                    items:
                      exclusiveMaximum: true
                      maximum: 10
                      minimum: 0
                      type: number
                    type: array
                  type: array
                matrixByName:
                  additionalProperties:
                    items:
                      maxLength: 5
                      nullable: true
                      type: string
                    type: array
                  type: object
                memory:
                  anyOf:
                    - type: integer
                    - type: string
                  pattern: ^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$
                  x-kubernetes-int-or-string: true
                note:
                  nullable: true
                  type: string
                order:
                  items:
                    type: string
                  type: array
                  x-kubernetes-list-type: atomic
                portMatrix:
                  items:
                    items:
                      properties:
                        name:
                          maxLength: 20
                          type: string
                        port:
                          maximum: 9007199254740991
                          minimum: -9007199254740991
                          type: integer
                        weight:
                          default: 1
                          maximum: 9007199254740991
                          minimum: -9007199254740991
                          type: integer
                      required:
                        - name
                        - port
                      type: object
                    type: array
                  type: array
                ports:
                  default: []
                  items:
                    properties:
                      name:
                        maxLength: 20
                        type: string
                      port:
                        maximum: 9007199254740991
                        minimum: -9007199254740991
                        type: integer
                      weight:
                        default: 1
                        maximum: 9007199254740991
                        minimum: -9007199254740991
                        type: integer
                    required:
                      - name
                      - port
                    type: object
                  maxItems: 10
                  type: array
                  x-kubernetes-list-map-keys:
                    - name
                  x-kubernetes-list-type: map
                ratio:
                  exclusiveMinimum: true
                  minimum: 0
                  type: number
                  x-kubernetes-validations:
                    - message: must be less than 1.5
                      rule: self < 1.5
                raw:
                  maxLength: 3
                  type: string
                since:
                  format: date-time
                  type: string
                small:
                  default: 3
                  type: number
                step:
                  type: number
                  x-kubernetes-validations:
                    - message: must be a multiple of 0.1
                      rule: "[self / 0.1].all(m, m > 9e15 || m < -9e15 || (m - double(int(m < 0.0 ? m - 0.5 : m + 0.5)) < 1e-9 && double(int(m < 0.0 ? m - 0.5 : m + 0.5)) - m < 1e-9))"
                store:
                  properties:
                    bucket:
                      maxLength: 20
                      type: string
                    label:
                      maxLength: 20
                      type: string
                    prefix:
                      maxLength: 20
                      type: string
                    size:
                      type: number
                    type:
                      enum:
                        - bucket
                        - disk
                      type: string
                  required:
                    - type
                  type: object
                  x-kubernetes-validations:
                    - fieldPath: .bucket
                      message: bucket must be set if type is bucket
                      rule: has(self.bucket) || self.type != "bucket"
                    - fieldPath: .prefix
                      message: prefix may only be set if type is bucket
                      rule: '!has(self.prefix) || self.type == "bucket"'
                    - fieldPath: .size
                      message: size must be set if type is disk, and must not be set otherwise
                      rule: 'self.type == "disk" ? has(self.size) : !has(self.size)'
                    - message: bucket and prefix must differ
                      rule: self.type != "bucket" || (!has(self.prefix) || self.bucket != self.prefix)
                tags:
                  items:
                    maxLength: 10
                    type: string
                  type: array
                  x-kubernetes-list-type: set
                target:
                  anyOf:
                    - type: integer
                    - type: string
                  x-kubernetes-int-or-string: true
                template:
                  properties:
                    apiVersion:
                      type: string
                    kind:
                      type: string
                    metadata:
                      properties:
                        annotations:
                          additionalProperties:
                            type: string
                          type: object
                        finalizers:
                          items:
                            type: string
                          type: array
                        labels:
                          additionalProperties:
                            type: string
                          type: object
                        name:
                          type: string
                        namespace:
                          type: string
                      type: object
                    spec:
                      default: {}
                      properties:
                        replicas:
                          default: 2
                          type: number
                      type: object
                  type: object
                  x-kubernetes-embedded-resource: true
                tree:
                  properties:
                    children:
                      items:
                        properties:
                          children:
                            items:
                              type: object
                              x-kubernetes-preserve-unknown-fields: true
                            type: array
                          name:
                            maxLength: 20
                            type: string
                        required:
                          - name
                        type: object
                      type: array
                    name:
                      maxLength: 20
                      type: string
                  required:
                    - name
                  type: object
                x-owner:
                  maxLength: 20
                  type: string
                  x-kubernetes-validations:
                    - message: field is immutable
                      rule: self == oldSelf
                zone:
                  maxLength: 20
                  type: string
                  x-kubernetes-validations:
                    - message: field is immutable
                      rule: self == oldSelf
              required:
                - target
                - zone
              title: Words
              type: object
              x-kubernetes-validations:
                - fieldPath: .small
                  messageExpression: 'self.large < 0.0 ? "large is negative" : "small is larger than large"'
                  reason: FieldValueForbidden
                  rule: self.small <= self.large
                - fieldPath: "['x-owner']"
                  message: "field is immutable: once set, it cannot be removed"
                  rule: "!has(oldSelf.x__dash__owner) || has(self.x__dash__owner)"
          required:
            - spec
          type: object
          x-kubernetes-validations:
            - message: the name is taken
              rule: self.metadata.name != "taken"
      served: true
      storage: true
"
`);
  });
});
