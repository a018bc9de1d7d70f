using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>What messages took to a Consumer by its own stamps, every value with the bound of the clocks.</summary>
internal sealed class ServedForwardSection(ServedForward forward)
{
    private const int MostShown = 10;

    public void WriteTo(TextWriter writer)
    {
        var directions = new OneWayTable(forward.Series, network: null);
        writer.Heading("FORWARD (received − sent − θ of the producers), " + Quantity.Symbol(directions.Unit));
        directions.WriteDirections(writer);
        if (forward.Producers.Count > 1)
            WriteProducers(writer);
        var corrected = forward.Received - forward.NotCorrected;
        writer.Line($"of {Quantity.Count(forward.Received)} messages {Quantity.Count(corrected)} "
            + $"corrected, {Quantity.Count(forward.NotCorrected)} not corrected{Why()}");
        var own = forward.FromSent;
        writer.Line($"negatives {Quantity.Count(own?.Negatives ?? 0)}, of these beyond their ±E "
            + Quantity.Count(own?.NegativesBeyondError ?? 0));
        foreach (var producer in forward.Producers.Where(producer => producer.Failure is not null))
            writer.Line($"{producer.Name}: {producer.Failure}");
    }

    private string Why()
    {
        var reasons = new List<string>();
        if (forward.Unserved > 0)
            reasons.Add($"{Quantity.Count(forward.Unserved)} of more producers than are measured at a time");
        if (forward.Overflowed > 0)
            reasons.Add($"{Quantity.Count(forward.Overflowed)} came faster than they were taken");
        if (forward.NotCorrected > forward.Unserved + forward.Overflowed)
            reasons.Add("no producer sent θ for their time before the end");
        return reasons.Count == 0 ? string.Empty : $": {string.Join("; ", reasons)}";
    }

    private void WriteProducers(TextWriter writer)
    {
        var unit = Quantity.UnitFor([.. forward.Producers.Select(producer => (long)(producer.MeanNs ?? 0))]);
        var table = new TextTable(["producer", "n", "min", "mean", "max", "±E", "negatives"]);
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

        table.WriteTo(writer);
        if (forward.Producers.Count > MostShown)
            writer.Line($"and {forward.Producers.Count - MostShown} more producers in run.json");

        string Show(double? ns) => Quantity.Duration(ns, unit);
    }
}
