namespace RedisLatency.Lab.Mutations.Mutants;

/// <summary>Mistakes in what a message's stamps are taken for, and whose word is believed.</summary>
internal static class CorrectionMutations
{
    public static IReadOnlyList<Mutation> All { get; } =
    [
        new("the sign of θ, in the messages",
            "Messaging/OneWay/OneWayCorrection.cs",
            "stamps.Received - stamps.Sent - theta",
            "stamps.Received - stamps.Sent + theta",
            new Miss("no-echo", "forward, mean")),
        new("residence ignored",
            "Producer/OneWay/PairClock.cs",
            "stamps.Received, stamps.Echoed, stamps.Returned",
            "stamps.Received, stamps.Received, stamps.Returned",
            new Miss("residence", "θ less the truth")),
        new("residence counted for the way",
            "Messaging/OneWay/MessageStamps.cs",
            "Network => Returned - Sent - (Echoed - Received);",
            "Network => Returned - Sent;",
            new Miss("residence", "both ways without it")),
        new("a false claim trusted",
            "Metrics/Offsets/ClaimBook.cs",
            "claims.Aggregate(probes,",
            "claims.Aggregate(claims[0].Bound,",
            new Miss("false-claim", "claims refuted by the probes")),
    ];
}
