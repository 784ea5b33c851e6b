/**
 * Returns the source of a module with one kind of 40 fields, as authors of operators write them: comments, constraints,
 * unions, nested objects, lists and maps, defaults, a status with conditions.
 */
export function kindModule(kind: string): string {
  return `import { Condition, Conditions, CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';

${nested(`${kind}Resources`, 'The resources of one instance.')}
${nested(`${kind}Storage`, 'The storage for data that outlives a pod.')}
export class ${kind}Spec {
${range(6).map(integerField).join('\n')}
${range(5).map(textField).join('\n')}
  /** How new versions are rolled out. */
  @IsIn(['RollingUpdate', 'Recreate'])
  strategy: 'RollingUpdate' | 'Recreate' = 'RollingUpdate';

  /** Whether it is accessible from outside of the cluster. */
  @IsBoolean()
  exposed = false;

  /** The labels of all its objects. */
  @IsOptional()
  @IsObject()
  labels?: Record<string, string>;

  /** The hosts that it serves. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(16)
  @IsString({ each: true })
  @MaxLength(253, { each: true })
  hosts?: string[];

  /** The resources of one instance. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ${kind}Resources)
  resources?: ${kind}Resources;

  /** The volumes, in the order they are mounted. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(8)
  @ValidateNested({ each: true })
  @Type(() => ${kind}Storage)
  storage?: ${kind}Storage[];
}

export class ${kind}Status {
  /** The number of ready instances. */
  @IsOptional()
  @IsInt()
  readyReplicas?: number;

  /** The generation of the spec that the status describes. */
  @IsOptional()
  @IsInt()
  observedGeneration?: number;

  /** Its state. */
  @Conditions()
  conditions?: Condition[];
}

/** A ${kind} with all its objects. */
@CustomResource({ group: 'bench.example.com', version: 'v1alpha1', kind: '${kind}', categories: ['all'] })
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' })
export class ${kind} extends KubernetesObject {
  @Spec() spec!: ${kind}Spec;
  @Status() status!: ${kind}Status;
}
`;
}

function nested(name: string, description: string): string {
  return `/** ${description} */
export class ${name} {
  /** The name by which other objects refer to it. */
  @IsString()
  @MinLength(1)
  @MaxLength(63)
  @Matches(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
  name!: string;

${range(4).map(integerField).join('\n')}
${range(3).map(textField).join('\n')}
  /** The limit as a multiple of the request. */
  @IsOptional()
  @IsNumber()
  @Min(1)
  @Max(10)
  burst?: number;
}
`;
}

function integerField(index: number): string {
  return `  /** The number of parts ${index}. More parts cost more, fewer respond later. */
  @IsInt()
  @Min(0)
  @Max(${100 + index})
  count${index} = ${index};
`;
}

function textField(index: number): string {
  return `  /** The name of part ${index}. */
  @IsOptional()
  @IsString()
  @MaxLength(${64 + index})
  @Matches(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/)
  text${index}?: string;
`;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
