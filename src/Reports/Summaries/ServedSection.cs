using System.Globalization;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a Consumer served, and how long it kept each message.</summary>
internal sealed class ServedSection(ServedRecord served)
{
    private const string Region = "region";

    private static readonly string[] Heads =
        ["producer", Region, "received", "warm-up", "lost", "duplicated", "reordered", "ended"];

    public IEnumerable<Section> Create()
    {
        Section?[] sections =
        [
            Served(),
            Percentiles(),
            Residence(),
            served.Record.Forward is { } forward ? new ServedForwardSection(forward, served).Create() : null,
            new ServedClockSection(served.Record).Create(),
        ];
        return sections.OfType<Section>();
    }

    private Section Served()
    {
        var counts = new[]
        {
            ("plain counts", served.Plain), ("kept without an echo, as asked", served.Kept),
            ("foreign", served.Foreign), ("corrupted", served.Corrupted), ("other version", served.OtherVersions),
            ("connections lost", served.ConnectionsLost),
        }.Where(count => count.Item2 > 0).Select(count => $"{count.Item1} {Quantity.Count(count.Item2)}").ToList();
        return new Section("SERVED").Add(Producers())
            .Add(counts.Count > 0 ? string.Join(", ", counts) : null, Extent.Answer)
            .Add($"echoed {Quantity.Count(served.Echoed)} in "
            + $"{Quantity.Elapsed(TimeSpan.FromNanoseconds(served.Duration))}, "
            + $"of these plain counts {Quantity.Count(served.Plain)}"
            + (served.Kept > 0 ? $"; kept without an echo, as asked: {Quantity.Count(served.Kept)}" : string.Empty),
                Extent.Details)
            .Add($"not answered: foreign {Quantity.Count(served.Foreign)}, corrupted "
            + $"{Quantity.Count(served.Corrupted)}, other version {Quantity.Count(served.OtherVersions)}",
                Extent.Details)
            .Add($"connections lost: {Quantity.Count(served.ConnectionsLost)}", Extent.Details);
    }

    // Those of the first line, for the answer.
    private Section Percentiles()
    {
        var section = new Section(null, Extent.Answer);
        if (served.Residence is { Count: > 0 } residence)
            section.Add($"residence         {AnswerLine.Percentiles(residence.Percentiles)}");
        return section.Add((served.Record.Forward?.Series ?? []).Where(series => series.Count > 0).Select(series =>
            $"{series.Name,-16}  {AnswerLine.Percentiles(series.Percentiles)}, "
                + $"±{Quantity.Duration(series.ErrorNs)}"));
    }

    private Table? Producers()
    {
        if (served.Producers.Count == 0)
            return null;
        var hasRegions = served.Producers.Any(producer => producer.Region is not null);
        var table = new Table([.. Heads.Where(head => head != Region || hasRegions)]);
        foreach (var producer in served.Producers)
            table.Add(RowOf(producer, hasRegions));
        return table;
    }

    private static IEnumerable<string> RowOf(ServedProducer producer, bool hasRegions)
    {
        yield return producer.Name;
        if (hasRegions)
            yield return producer.Region ?? Quantity.None;
        yield return Quantity.Count(producer.Count(Counted.Received));
        yield return Quantity.Count(producer.WarmUp);
        yield return Quantity.Count(producer.Count(Counted.Lost));
        yield return Quantity.Count(producer.Count(Counted.Duplicated));
        yield return Quantity.Count(producer.Count(Counted.Reordered));
        yield return producer.HasEnded ? "yes" : "no";
    }

    private Section? Residence()
    {
        if (served.Residence is not { Count: > 0 } residence)
            return null;
        var unit = Quantity.UnitFor(residence.Min ?? 0);
        var percentiles = PercentileTable.Percentiles;
        var table = new Table(["n", "min", "mean", .. percentiles.Select(LatencyTable.NameOf), "max"]);
        table.Add(
        [
            Quantity.Count(residence.Count),
            Quantity.Duration(residence.Min, unit),
            Quantity.Duration(residence.Mean, unit),
            .. percentiles.Select(at => Quantity.Duration(residence.Percentiles.At(at)?.Value, unit)),
            Quantity.Duration(residence.Max, unit),
        ]);
        return new Section($"RESIDENCE (echoed − received), {Quantity.Symbol(unit)}", Extent.Details).Add(table)
            .Add(residence.Percentiles.Any(row => !row.IsKnown)
                ? $"{Quantity.None}: fewer than ten samples lie above it" : null)
            .Add(LatencyTable.OutOfRange(residence));
    }
}

/// <summary>The clock that stamped what was served, and who asked for its time.</summary>
internal sealed class ServedClockSection(RunRecord record)
{
    public Section? Create() => record.Clock is { } clock
        ? new Section("CLOCK", Extent.Details)
            .Add($"clock: {clock.Kind}, {RateOf(clock)}{SleepOf(clock)}")
            .Add(clock.Claims.Select(ClaimOf))
            .Add(record.ProbeServices.Select(ServiceOf))
        : null;

    private static string RateOf(HostClock clock) => clock.RatePpm is { } rate
        ? string.Create(
            CultureInfo.InvariantCulture,
            $"{rate:+0.###;-0.###;0} ppm against its crystal at the end (±{clock.RateErrorPpm ?? 0:0.###})")
        : $"rate {clock.RateSource}";

    private static string SleepOf(HostClock clock) => clock.SuspendedNs > 0
        ? $"; the host slept for {Quantity.Elapsed(TimeSpan.FromNanoseconds(clock.SuspendedNs))}"
        : string.Empty;

    private static string ClaimOf(HostClaim claim)
    {
        var error = claim.ErrorNs is { } ns
            ? $" ±{Quantity.Duration(ns, Quantity.UnitFor(ns))} {Quantity.Symbol(Quantity.UnitFor(ns))}"
            : string.Empty;
        var reason = claim.Reason is { } text ? $": {text}" : string.Empty;
        return $"UTC by {claim.Source}{error}: {(claim.Accepted ? "accepted" : "refused")}{reason}";
    }

    private static string ServiceOf(ProbeService service)
    {
        var refused = new (long Count, string Why)[]
        {
            (service.Unauthenticated, "without the run's key"),
            (service.WrongSize, "of another size"),
            (service.Foreign, "foreign"),
            (service.OtherVersion, "of another version"),
            (service.Repeated, "replayed"),
            (service.OverRate, "over the rate"),
            (service.Unsent, "could not be sent"),
        };
        var ignored = string.Join(", ", refused.Where(count => count.Count > 0)
            .Select(count => $"{Quantity.Count(count.Count)} {count.Why}"));
        return $"clock probes at {service.Address}: answered {Quantity.Count(service.Answered)}"
            + (ignored.Length > 0 ? $"; not answered: {ignored}" : string.Empty)
            + (service.Problem is { } problem ? $"; {problem}" : string.Empty);
    }
}

/// <summary>What messages took to a Consumer by its own stamps, every value with the bound of the clocks.</summary>
internal sealed class ServedForwardSection(ServedForward forward, ServedRecord served)
{
    private const int MostShown = 10;

    public Section Create()
    {
        var directions = new OneWayTable(forward.Series, network: null);
        var section = new Section(
            $"FORWARD (received − sent − θ of the producers), {Quantity.Symbol(directions.Unit)}", Extent.Details);
        directions.AddDirections(section);
        if (forward.Producers.Count > 1)
            AddProducers(section);
        var received = served.CountForward(ForwardMessages.Received);
        var notCorrected = served.CountForward(ForwardMessages.NotCorrected);
        section.Add($"of {Quantity.Count(received)} messages {Quantity.Count(received - notCorrected)} "
            + $"corrected, {Quantity.Count(notCorrected)} not corrected{Why(notCorrected)}");
        var own = forward.FromSent;
        section.Add($"negatives {Quantity.Count(own?.Negatives ?? 0)}, of these beyond their ±E "
            + Quantity.Count(own?.NegativesBeyondError ?? 0));
        return section.Add(forward.Producers.Where(producer => producer.Failure is not null)
            .Select(producer => $"{producer.Name}: {producer.Failure}"));
    }

    private string Why(long notCorrected)
    {
        var reasons = new List<string>();
        var unserved = served.CountForward(ForwardMessages.Unserved);
        var overflowed = served.CountForward(ForwardMessages.Overflowed);
        if (unserved > 0)
            reasons.Add($"{Quantity.Count(unserved)} of more producers than are measured at a time");
        if (overflowed > 0)
            reasons.Add($"{Quantity.Count(overflowed)} came faster than they were taken");
        if (notCorrected > unserved + overflowed)
            reasons.Add("no producer sent θ for their time before the end");
        return reasons.Count == 0 ? string.Empty : $": {string.Join("; ", reasons)}";
    }

    private void AddProducers(Section section)
    {
        var unit = Quantity.UnitFor([.. forward.Producers.Select(producer => (long)(producer.MeanNs ?? 0))]);
        var table = new Table(["producer", "n", "min", "mean", "max", "±E", "negatives"]);
        foreach (var producer in forward.Producers.Take(MostShown))
        {
            table.Add(
            [
                producer.Name,
                Quantity.Count(producer.Corrected),
                Show(producer.MinNs),
                Show(producer.MeanNs),
                Show(producer.MaxNs),
                Show(producer.Corrected > 0 ? producer.ErrorNs : null),
                Quantity.Count(producer.Negatives),
            ]);
        }

        section.Add(table);
        if (forward.Producers.Count > MostShown)
            section.Add($"and {forward.Producers.Count - MostShown} more producers in run.json");

        string Show(double? ns) => Quantity.Duration(ns, unit);
    }
}
