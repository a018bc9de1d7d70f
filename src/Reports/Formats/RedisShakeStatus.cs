using System.Globalization;
using System.Text.Json;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Formats;

/// <summary>The status that RedisShake serves as JSON: what it has read and written; it measures no latency.</summary>
internal static class RedisShakeStatus
{
    private const string Total = "total_entries_count";
    private const string Commands = "per_cmd_entries_count";

    public static bool IsIn(JsonElement root) => JsonFacts.Member(root, Total) is not null;

    public static ImportedMeasurement Read(ForeignFile file, JsonElement root)
    {
        var total = JsonFacts.Member(root, Total)!.Value;
        var phase = new ImportedPhase("sync") { Verb = "sync", Achieved = JsonFacts.Number(total, "write_ops") };
        var commands = JsonFacts.Member(root, Commands) is { } known
            ? known.EnumerateObject().Where(command => command.Value.ValueKind == JsonValueKind.Object)
                .Select(command => (command.Name, command.Value)).ToList()
            : [];
        foreach (var (name, counts) in commands.Count > 0 ? commands : [("entries", total)])
        {
            phase.Add(
                new OperationResult { Name = ImportedPhase.Plain(name), Command = name },
                (Counted.Sent, Count(counts, "read_count")), (Counted.Completed, Count(counts, "write_count")));
        }

        // RedisShake writes its host's local time and does not say which that is.
        return new ImportedMeasurement
        {
            Origin = new ImportedRun
            {
                Tool = "RedisShake",
                File = file.Name,
                Form = "status",
                Facts = JsonFacts.Flat(root),
            },
            Summaries = [phase.Create()],
            Notes =
            [
                "RedisShake counts entries; sent is what it read, completed what it wrote. Its rate is that of the "
                    + "last second, and it measures no latency.",
                .. Begun(root),
            ],
        };
    }

    private static IEnumerable<string> Begun(JsonElement root) =>
        JsonFacts.Text(root, "start_time") is { } began
            && DateTime.TryParse(began, CultureInfo.InvariantCulture, DateTimeStyles.None, out _)
            ? [$"It began at {began} of its host's own time."] : [];

    private static long Count(JsonElement counts, string name) =>
        GivenFigures.Whole(JsonFacts.Number(counts, name)
            ?? throw new ImportException($"a status of RedisShake without {name}"));
}
