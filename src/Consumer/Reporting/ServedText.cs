using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Consumer.Reporting;

/// <summary>Prints what a Consumer served for people, in 80 columns where names are short.</summary>
/// <param name="served">The record.</param>
/// <param name="folder">Where the results lie; null where they could not be written.</param>
internal sealed class ServedText(ServedRecord served, string? folder)
{
    private const string Region = "region";

    private static readonly string[] Heads =
        ["producer", Region, "received", "warm-up", "lost", "duplicated", "reordered", "ended"];

    private readonly RunRecord _record = served.Record;

    /// <summary>Writes the summary, the line for scripts last.</summary>
    public void WriteTo(TextWriter writer)
    {
        WriteVerdict(writer);
        WriteRun(writer);
        WriteServed(writer);
        WriteResidence(writer);
        WriteInstrument(writer);
        Heading(writer, "FILES");
        Line(writer, folder ?? "not written");
        writer.WriteLine();
        writer.WriteLine(ResultLine());
    }

    private void WriteVerdict(TextWriter writer)
    {
        var partial = _record.Partial ? $", PARTIAL: {_record.PartialReason}" : string.Empty;
        writer.WriteLine($"VERDICT  {(_record.Verdict.Valid ? "VALID" : "NOT VALID")}{partial}");
        foreach (var reason in _record.Verdict.Reasons)
            Line(writer, reason);
        foreach (var threshold in _record.Thresholds)
            Line(writer, threshold.Reason ?? threshold.Expression);
    }

    private void WriteRun(TextWriter writer)
    {
        Heading(writer, "RUN");
        var region = _record.Region is null ? string.Empty : $" in {_record.Region}";
        Line(writer, $"run {_record.Run}, consumer {_record.Instance}{region}, "
            + $"served {Quantity.Elapsed(TimeSpan.FromTicks(served.Duration / 100))}");
        foreach (var target in _record.Targets)
        {
            var server = target.Server is { } facts ? $"{facts.Name} {facts.Version} {facts.Mode}" : "server not known";
            Line(writer, $"target {target.Endpoint}: {server}; {target.Driver} {target.DriverVersion.Split('+')[0]}, "
                + $"RESP{target.Protocol} over {target.Transport}");
        }

        var given = _record.Options.Where(option => option.Source != OptionSource.Default)
            .Select(option => $"--{option.Name} {option.Value}");
        Line(writer, $"options {string.Join(' ', given.DefaultIfEmpty("all at their defaults"))}");
    }

    private void WriteServed(TextWriter writer)
    {
        Heading(writer, "SERVED");
        if (served.Producers.Count > 0)
        {
            var hasRegions = served.Producers.Any(producer => producer.Region is not null);
            var table = new TextTable([.. Heads.Where(head => head != Region || hasRegions)]);
            foreach (var producer in served.Producers)
                table.Add([.. RowOf(producer, hasRegions)]);
            table.WriteTo(writer);
        }

        Line(writer, $"echoed {Quantity.Count(served.Echoed)} in all, "
            + $"of these plain counts {Quantity.Count(served.Plain)}");
        Line(writer, $"not answered: foreign {Quantity.Count(served.Foreign)}, corrupted "
            + $"{Quantity.Count(served.Corrupted)}, other version {Quantity.Count(served.OtherVersions)}");
        Line(writer, $"connections lost: {Quantity.Count(served.ConnectionsLost)}");
    }

    private static IEnumerable<string> RowOf(ServedProducer producer, bool hasRegions)
    {
        yield return producer.Name;
        if (hasRegions)
            yield return producer.Region ?? Quantity.None;
        foreach (var count in new[]
        {
            producer.Counts.Received, producer.WarmUp, producer.Counts.Lost, producer.Counts.Duplicated,
            producer.Counts.Reordered,
        })
        {
            yield return count is { } known ? Quantity.Count(known) : Quantity.None;
        }

        yield return producer.HasEnded ? "yes" : "no";
    }

    private void WriteResidence(TextWriter writer)
    {
        if (served.Residence is not { Count: > 0 } residence)
            return;
        var unit = Quantity.UnitFor(residence.Min ?? 0);
        Heading(writer, $"RESIDENCE (echoed − received), {Quantity.Symbol(unit)}");
        var table = new TextTable(["n", "min", "mean", .. PercentileTable.Percentiles.Select(NameOf), "max"]);
        table.Add(
        [
            Quantity.Count(residence.Count),
            Quantity.Duration(residence.Min ?? double.NaN, unit),
            Quantity.Duration(residence.Mean ?? double.NaN, unit),
            .. PercentileTable.Percentiles.Select(percentile => Cell(residence, percentile, unit)),
            Quantity.Duration(residence.Max ?? double.NaN, unit),
        ]);
        table.WriteTo(writer);
        if (residence.Percentiles.Any(row => !row.HasEnoughSamples))
            Line(writer, $"{Quantity.None}: fewer than ten samples lie above it");
        if (residence.AboveRange + residence.BelowRange > 0)
        {
            Line(writer, $"out of range and in no percentile: {Quantity.Count(residence.AboveRange)} above, "
                + $"{Quantity.Count(residence.BelowRange)} negative");
        }
    }

    private void WriteInstrument(TextWriter writer)
    {
        Heading(writer, "INSTRUMENT");
        if (_record.Hiccups is { Count: > 0 } hiccups)
            Line(writer, $"hiccups (a thread that wakes every millisecond): max {Quantity.Duration(hiccups.Max ?? 0)}");
        if (_record.GcPauses is { } gc)
        {
            Line(writer, $"garbage collections {Quantity.Count(gc.Collections)}, "
                + $"paused {Quantity.Duration(gc.TotalPauseNs)} in all");
        }

        if (_record.Cpu is { } cpu)
            Line(writer, $"CPU: this process {Quantity.Percent(cpu.ProcessCores)} of a core");
        if (_record.Environment.CpuDmaLatencyHeldMicroseconds is { } held)
            Line(writer, $"processors held awake (cpu_dma_latency {Quantity.Count(held)} us)");
    }

    private string ResultLine() => string.Create(
        CultureInfo.InvariantCulture,
        $"RESULT role=consumer valid={Word(_record.Verdict.Valid)} partial={Word(_record.Partial)} "
        + $"served={served.Producers.Count} echoed={served.Echoed} exit={_record.ExitCode}");

    private static string Word(bool value) => value ? "true" : "false";

    private static string Cell(LatencySeries series, double percentile, DurationUnit unit) =>
        series.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value is { } value
            ? Quantity.Duration(value, unit)
            : Quantity.None;

    private static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");

    private static void Heading(TextWriter writer, string text)
    {
        writer.WriteLine();
        writer.WriteLine(text);
    }

    private static void Line(TextWriter writer, string text) => writer.WriteLine($"  {text}");
}
