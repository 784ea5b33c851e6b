/**
 * The text of a module with one kind of 40 fields, as an operator's author writes them: comments, constraints, unions,
 * nested objects, lists and maps, defaults, a status with conditions.
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

${nested(`${kind}Resources`, 'What one instance of it may use.')}
${nested(`${kind}Storage`, 'Where it keeps what must outlive a pod.')}
export class ${kind}Spec {
${range(6).map(integerField).join('\n')}
${range(5).map(textField).join('\n')}
  /** How new versions are rolled out. */
  @IsIn(['RollingUpdate', 'Recreate'])
  strategy: 'RollingUpdate' | 'Recreate' = 'RollingUpdate';

  /** Whether it may be reached from outside of the cluster. */
  @IsBoolean()
  exposed = false;

  /** Labels that are put on everything it makes. */
  @IsOptional()
  @IsObject()
  labels?: Record<string, string>;

  /** Hosts that it answers for. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(16)
  @IsString({ each: true })
  @MaxLength(253, { each: true })
  hosts?: string[];

  /** What one instance may use. */
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
  /** How many instances answer. */
  @IsOptional()
  @IsInt()
  readyReplicas?: number;

  /** The generation that the rest of the status is about. */
  @IsOptional()
  @IsInt()
  observedGeneration?: number;

  /** Where it stands. */
  @Conditions()
  conditions?: Condition[];
}

/** One ${kind}, with everything that belongs to it. */
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
  /** Its name, as other objects refer to it. */
  @IsString()
  @MinLength(1)
  @MaxLength(63)
  @Matches(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
  name!: string;

${range(4).map(integerField).join('\n')}
${range(3).map(textField).join('\n')}
  /** How much more than it asks for it may take, as a factor. */
  @IsOptional()
  @IsNumber()
  @Min(1)
  @Max(10)
  burst?: number;
}
`;
}

function integerField(index: number): string {
  return `  /** How many of part ${index} there are. More cost more, fewer answer later. */
  @IsInt()
  @Min(0)
  @Max(${100 + index})
  count${index} = ${index};
`;
}

function textField(index: number): string {
  return `  /** What part ${index} is called by those who use it. */
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
