/**
 * Objects as YAML, without the generator of schemas.
 *
 * @module @evenkeel/schema/yaml
 */

export { objectYaml } from './yaml.ts';
