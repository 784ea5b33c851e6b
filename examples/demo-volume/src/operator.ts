import { defineOperator } from 'evenkeel';
import { DemoVolumeController } from './demo-volume.controller.ts';

export const operator = defineOperator({ name: 'demo-volume-operator', controllers: [DemoVolumeController] });
