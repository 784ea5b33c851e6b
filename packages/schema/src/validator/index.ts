export { type ClassValidatorOptions, classValidator } from './class-validator.ts';
export { combineValidators } from './combined-validator.ts';
export { definitionValidator } from './definition-validator.ts';
