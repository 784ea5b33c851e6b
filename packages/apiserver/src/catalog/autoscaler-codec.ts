import type { HorizontalPodAutoscaler } from '@evenkeel/kinds';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import type { JsonObject } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ObjectCodec, TypedDecoding, VersionLookup } from '../kind/object-codec.ts';
import type { Strategy } from '../kind/strategy.ts';
import { autoscalerInV1, autoscalerInV2 } from './autoscaler-conversion.ts';

/** The versions of HorizontalPodAutoscaler: the only built-in kind whose served versions have different fields. */
const conversions = new Map([
  ['autoscaling/v1', autoscalerInV1],
  ['autoscaling/v2', autoscalerInV2],
]);

/** Adapts the codec of a HorizontalPodAutoscaler to its storage in v2. */
export async function autoscalerCodec(codec: ObjectCodec, strategy: Strategy): Promise<ObjectCodec> {
  const versionOf = await versionLookup();
  const convertsToV1 = codec.empty.apiVersion === 'autoscaling/v1';
  const defaulted = ({ object, strictErrors }: TypedDecoding, json: JsonObject): TypedDecoding => {
    if (!convertsToV1) return { object: withEmptyPolicies(object, json), strictErrors };
    // Upstream sets the default of the target while it converts, and those of the behavior in v2.
    const inV2 = autoscalerInV2(object);
    strategy.default?.(inV2);
    return { object: autoscalerInV1(inV2), strictErrors };
  };
  return {
    schema: codec.schema,
    empty: codec.empty,
    decode: (json, strictErrorsMax) => defaulted(codec.decode(json, strictErrorsMax), json),
    decodeApplied: (json) => defaulted(codec.decodeApplied(json), json),
    validate: (...object) => codec.validate(...object),
    fromStorage: (stored) => (convertsToV1 ? autoscalerInV1(stored) : stored),
    toStorage: (object) => (convertsToV1 ? autoscalerInV2(object) : object),
    withVersions: (run) => run(versionOf),
  };
}

/** Empty lists of policies are invalid; only without a list, the default applies. */
function withEmptyPolicies(object: ApiObject, json: JsonObject): ApiObject {
  const { behavior: given } = (json as unknown as WithBehavior).spec ?? {};
  const { behavior: decoded } = (object as WithBehavior).spec ?? {};
  for (const rules of ['scaleUp', 'scaleDown'] as const) {
    const scaling = decoded?.[rules];
    if (scaling !== undefined && given?.[rules]?.policies?.length === 0) scaling.policies = [];
  }
  return object;
}

/** The decoder has checked the types of the members. */
type WithBehavior = Partial<HorizontalPodAutoscaler>;

async function versionLookup(): Promise<VersionLookup> {
  const schemas = new Map<string, SchemaNode>();
  for (const version of ['v1', 'v2']) {
    schemas.set(`autoscaling/${version}`, await schemaOf(`io.k8s.api.autoscaling.${version}.HorizontalPodAutoscaler`));
  }
  return (apiVersion) => {
    const schema = schemas.get(apiVersion);
    const convert = conversions.get(apiVersion);
    if (schema === undefined || convert === undefined) return undefined;
    return {
      schema,
      convert: (object: JsonObject) =>
        object['apiVersion'] === apiVersion
          ? object
          : (convert({ metadata: {}, ...object } as unknown as ApiObject) as unknown as JsonObject),
    };
  };
}
