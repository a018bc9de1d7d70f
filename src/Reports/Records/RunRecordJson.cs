using System.Text.Json;
using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>
/// How a run record is written: camelCase, indented, nulls left out. Read, it must have every required field and no
/// field twice; fields it does not know are passed over.
/// </summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.General,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UseStringEnumConverter = true,
    WriteIndented = true,
    NewLine = "\n")]
[JsonSerializable(typeof(RunRecord))]
internal sealed partial class RunRecordJson : JsonSerializerContext;
