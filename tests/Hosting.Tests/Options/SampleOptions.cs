using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Tests.Options;

internal enum Arrival
{
    Uniform,
    PoissonProcess,
}

internal sealed class SampleOptions
{
    public TargetOptions Target { get; } = new();

    public OutputOptions Output { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public double Rate { get; set; } = 1_000;

    public long? Iterations { get; set; }

    public TimeSpan? Duration { get; set; }

    public Arrival Arrival { get; set; }

    public InclusiveRange<long> PayloadSize { get; set; } = new(64);

    public bool BusyPoll { get; set; }

    public string Secret { get; set; } = "";
}
