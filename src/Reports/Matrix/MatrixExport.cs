using System.Globalization;
using System.Text.Json.Serialization;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Matrix;

/// <summary>Delays between regions for programs: of all matrices the rows.</summary>
public sealed class MatrixExport(IReadOnlyList<DelayMatrix> matrices)
{
    // What was published of a pair stands once: beside what was measured, or where nothing was.
    private IEnumerable<MatrixRow> Rows
    {
        get
        {
            List<MatrixRow> measured = [.. matrices.SelectMany(matrix => matrix.Rows).Where(row => row.Runs > 0)];
            return matrices
                .SelectMany(matrix => matrix.Rows)
                .Where(row => row.Runs > 0 || !measured.Exists(one => one.IsOf(row.Source, row.Destination)))
                .Distinct();
        }
    }

    public void WriteCsv(TextWriter writer)
    {
        var table = new Table(
            "source", "destination", "average_ms", "p95_ms", "p99_ms", "average_least_ms", "average_most_ms", "read",
            "not_read", "runs", "runs_in_doubt", "published_average_ms", "published_p95_ms", "published_p99_ms",
            "p95_least_ms",
            "p95_most_ms", "p99_least_ms", "p99_most_ms", "average_error_ms", "series");
        foreach (var row in Rows)
        {
            table.Add(
                row.Source, row.Destination, Show(row.Measured.Average), Show(row.Measured.P95), Show(row.Measured.P99),
                Show(row.Least.Average), Show(row.Most.Average), Show(row.Read), Show(row.NotRead), Show(row.Runs),
                Show(row.RunsInDoubt), Show(row.Published?.Average), Show(row.Published?.P95), Show(row.Published?.P99),
                Show(row.Least.P95), Show(row.Most.P95), Show(row.Least.P99), Show(row.Most.P99),
                Show(row.AverageError), row.Series ?? string.Empty);
        }

        SectionCsv.Write(writer, table);
    }

    public void WriteJson(TextWriter writer) =>
        JsonOutput.Write(writer, new MatrixDocument(matrices[0].Reference?.Name, [.. Rows]), MatrixJson.Default);

    private static string Show(long count) => count.ToString(CultureInfo.InvariantCulture);

    private static string Show(double? nanoseconds) =>
        nanoseconds is { } value ? (value / 1e6).ToString("0.######", CultureInfo.InvariantCulture) : string.Empty;
}

internal sealed record MatrixDocument(string? Reference, IReadOnlyList<MatrixRow> Pairs);

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    NewLine = "\n",
    Converters = [typeof(FiniteNumberConverter)])]
[JsonSerializable(typeof(MatrixDocument))]
internal sealed partial class MatrixJson : JsonSerializerContext;
