using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using System.Text.Unicode;
using RedisLatency.Metrics.Results;

namespace RedisLatency.Reports.Records;

/// <summary>
/// Reads run records of this version. Fields that are not known are passed over; what is missing,
/// doubled or of the wrong kind is not.
/// </summary>
public static class RunRecordReader
{
    /// <summary>The largest file that is read as a run record: 64 MiB.</summary>
    public const int LargestFile = 64 << 20;

    /// <summary>The largest number of a run record: 2^63, which 64 bits can be.</summary>
    public const double LargestNumber = 9_223_372_036_854_775_808;

    private const string SchemaVersionField = "schemaVersion";

    // A list that is not there would be null, whatever it begins as.
    private static readonly JsonTypeInfo<RunRecord> Complete = (JsonTypeInfo<RunRecord>)new JsonSerializerOptions(
        RunRecordJson.Default.Options)
    {
        TypeInfoResolver = RunRecordJson.Default.WithAddedModifier(RequireWhatIsNeverNull),
    }.GetTypeInfo(typeof(RunRecord));

    /// <summary>Reads the record of a folder of results, or the file itself.</summary>
    /// <exception cref="RunRecordException">There is none, or it cannot be understood.</exception>
    public static RunRecord Read(string path)
    {
        var file = Directory.Exists(path) ? Path.Combine(path, ResultsFolder.RunRecordName) : path;
        return Parse(file, ReadBytes(file));
    }

    /// <summary>Reads a record from UTF-8 JSON.</summary>
    /// <param name="source">What the errors call it.</param>
    /// <param name="utf8Json">The record.</param>
    /// <exception cref="RunRecordException">It cannot be understood.</exception>
    public static RunRecord Parse(string source, ReadOnlyMemory<byte> utf8Json)
    {
        try
        {
            if (!Utf8.IsValid(utf8Json.Span))
                throw new JsonException("it is not UTF-8 text");
            using var document = JsonDocument.Parse(utf8Json);
            RefuseOtherSchemas(source, document.RootElement);
            if (RecordShape.Problem(Complete, document.RootElement, "$") is { } problem)
                throw new JsonException(problem);
            var record = document.Deserialize(Complete) ?? throw new JsonException("it is null");
            return RecordIdentities.Problem(record) is { } contradiction
                ? throw new RunRecordException(source, $"contradicts itself: {contradiction}")
                : record;
        }
        catch (JsonException exception)
        {
            // The parser speaks of bytes, the serializer of its types.
            var reason = exception.Path is { } path ? $"{path} is not what belongs there"
                : exception.LineNumber is { } line ? FormattableString.Invariant($"no JSON from line {line + 1} on")
                : exception.Message;
            throw new RunRecordException(source, $"not a run record: {reason}", exception);
        }
    }

    private static void RequireWhatIsNeverNull(JsonTypeInfo type)
    {
        foreach (var property in type.Properties)
            property.IsRequired |= property is { IsSetNullable: false, Set: not null, PropertyType.IsValueType: false };
    }

    private static byte[] ReadBytes(string file)
    {
        try
        {
            return LimitedFile.ReadAll(file, LargestFile);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new RunRecordException(
                file, "no run record here; name a folder that a run left behind", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new RunRecordException(file, $"cannot be read: {exception.Message}", exception);
        }
    }

    private static void RefuseOtherSchemas(string source, JsonElement root)
    {
        if (root.ValueKind != JsonValueKind.Object
            || !root.TryGetProperty(SchemaVersionField, out var field)
            || field.ValueKind != JsonValueKind.Number || !field.TryGetInt32(out var version) || version < 1)
        {
            throw new JsonException($"it has no {SchemaVersionField}");
        }

        if (version != RunRecord.CurrentSchemaVersion)
        {
            var age = version > RunRecord.CurrentSchemaVersion ? "newer" : "older";
            throw new RunRecordException(
                source, $"written in schema {version}, {age} than the {RunRecord.CurrentSchemaVersion} that this "
                    + "version reads");
        }
    }
}
