namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes in what is kept and counted.</summary>
internal static class MessageMutations
{
    private const string Direction = "Messaging/OneWay/OneWayDirection.cs";
    private const string Echoes = "Messaging/Sending/EchoReceiver.cs";
    private const string Recorded = "FromSent.Record(valueNs);";

    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("a negative dropped",
            Direction,
            Recorded,
            $"if (valueNs < 0) return; {Recorded}",
            new Miss("negatives", "messages of forward"),
            new Miss("negatives", "negative ones")),
        new("what took long dropped",
            Direction,
            Recorded,
            $"if (valueNs > 100_000_000) return; {Recorded}",
            new Miss("stall", "forward, max"),
            new Miss("stall", "forward, all accounted for")),
        new("lost messages not counted",
            "Metrics/Sequences/SequenceTracker.cs",
            "Lost: sent - received,",
            "Lost: 0,",
            new Miss("faults", "lost")),
        new("doubled messages not counted",
            Echoes,
            "_counts.Duplicated++;",
            "_ = arrival;",
            new Miss("faults", "duplicated")),
        new("overtaken messages not counted",
            Echoes,
            "_counts.Reordered++;",
            "_ = arrival;",
            new Miss("faults", "reordered")),
    ];
}
