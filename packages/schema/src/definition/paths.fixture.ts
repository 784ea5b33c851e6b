import type { Condition } from '@evenkeel/core';
import {
  Conditions,
  CustomResource,
  KubernetesObject,
  PreserveUnknownFields,
  PrinterColumn,
  Scale,
  SelectableField,
  Spec,
  Status,
} from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';

class Part {
  @IsString() name!: string;
}

class PathSpec {
  @IsInt() size = 1;
  @IsNumber() ratio = 0.5;
  @IsString() color = 'blue';
  @IsBoolean() open = true;
  @IsOptional() @Type(() => Part) parts: Part[] = [];
  @IsOptional() @PreserveUnknownFields() extra?: Record<string, unknown>;
}

class PathStatus {
  @IsOptional() @IsInt() ready?: number;
  @IsOptional() @IsString() selector?: string;
  @Conditions() conditions?: Condition[];
}

/** Every path leads to a property of the right type. */
@CustomResource({ group: 'example.com', version: 'v1' })
@PrinterColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@PrinterColumn({ name: 'Size in full', type: 'number', jsonPath: '.spec.size', format: 'double' })
@PrinterColumn({ name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name' })
@PrinterColumn({ name: 'First', type: 'string', jsonPath: '.spec.parts[0].name' })
@PrinterColumn({ name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' })
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@PrinterColumn({ name: 'Team', type: 'string', jsonPath: ".metadata.labels['example\\.com/team']" })
@PrinterColumn({ name: 'All', type: 'string', jsonPath: '.spec' })
@PrinterColumn({ name: 'Anything', type: 'string', jsonPath: '..name' })
@PrinterColumn({ name: 'Kept', type: 'integer', jsonPath: '.spec.extra.depth' })
@PrinterColumn({ name: 'Since', type: 'date', jsonPath: '.status.conditions[0].lastTransitionTime', priority: 1 })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready', labelSelectorPath: '.status.selector' })
@SelectableField('.spec.color')
@SelectableField('.spec.size')
@SelectableField('.spec.open')
export class GoodPaths extends KubernetesObject {
  @Spec() spec!: PathSpec;
  @Status() status!: PathStatus;
}

/** No path leads to a property of the right type. */
@CustomResource({ group: 'example.com', version: 'v1' })
@PrinterColumn({ name: 'Typo', type: 'string', jsonPath: '.spec.colour' })
@PrinterColumn({ name: 'Text', type: 'integer', jsonPath: '.spec.color' })
@PrinterColumn({ name: 'Fraction', type: 'integer', jsonPath: '.spec.ratio' })
@PrinterColumn({ name: 'Number', type: 'date', jsonPath: '.spec.size' })
@PrinterColumn({ name: 'Below', type: 'string', jsonPath: '.spec.size.more' })
@PrinterColumn({ name: 'Element', type: 'string', jsonPath: '.spec.color[0]' })
@PrinterColumn({ name: 'Of list', type: 'string', jsonPath: '.spec.parts.name' })
@PrinterColumn({ name: 'Meta', type: 'string', jsonPath: '.metadata.created' })
@PrinterColumn({ name: 'Typo', type: 'string', jsonPath: '.spec.color' })
@Scale({ specReplicasPath: '.spec.color', statusReplicasPath: '.status.raedy', labelSelectorPath: '.status.ready' })
@SelectableField('.spec.ratio')
@SelectableField('.spec.parts')
@SelectableField('.spec.colour')
@SelectableField('.spec.color')
@SelectableField('.spec.color')
export class BadPaths extends KubernetesObject {
  @Spec() spec!: PathSpec;
  @Status() status!: PathStatus;
}
