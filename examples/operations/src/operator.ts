import { defineOperator } from 'evenkeel';
import { backupController } from './backup.controller.ts';
import { restartController, upgradeController } from './rollout.controller.ts';

export const operator = defineOperator({
  name: 'operations-operator',
  controllers: [restartController, upgradeController, backupController],
});
