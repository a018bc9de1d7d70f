using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Phases;

/// <summary>A phase with every default settled.</summary>
internal sealed class PhasePlan
{
    private const long DefaultRecords = 100_000;
    private const int DefaultInFlight = 16;
    private const double YcsbExpectation = 2;

    private static readonly TimeSpan DefaultWarmUp = TimeSpan.FromSeconds(1);

    /// <summary>Settles the defaults.</summary>
    /// <param name="name">What results call the phase.</param>
    /// <param name="isLoad">Whether it writes every record once.</param>
    /// <param name="options">The options, checked each by itself.</param>
    /// <param name="scale">What records, operations and times are multiplied by.</param>
    public PhasePlan(string name, bool isLoad, PhaseOptions options, double scale = 1)
    {
        Name = name;
        IsLoad = isLoad;
        Options = options;
        Size = ValueSize.Parse(options.ValueSize);
        var records = options.TotalSize is { } bytes
            ? (long)(bytes / ((Size.Minimum + Size.Maximum) / 2.0))
            : options.Records ?? DefaultRecords;
        Records = Scaled(Math.Max(1, records), scale);
        Operations = isLoad ? Records : options.Operations is { } operations ? Scaled(operations, scale) : null;
        var duration = options.Duration ?? (Operations is null ? DefaultDuration : (TimeSpan?)null);
        Duration = isLoad ? null : duration * scale;
        WarmUp = isLoad ? TimeSpan.Zero : (options.WarmUp ?? DefaultWarmUp) * Math.Min(1, scale);
        Share = ConnectionShare.Of(options, Environment.ProcessorCount);
        Mix = isLoad ? PhaseMix.OfLoad(options) : PhaseMix.Of(options);
        Keys = KeyDistribution.Parse(isLoad ? "partitioned" : PhaseMix.KeysOf(options));
        Form = KeyForm.Parse(options.KeyForm);
        Content = ValueContent.Parse(options.Value ?? (options.Verify ? "deterministic" : "ycsb"));
        var inserts = PhaseMix.InsertShare(Mix) * (Operations ?? 0) * YcsbExpectation;
        Space = new KeySpace(options.FirstRecord, Records, isLoad ? 0 : (long)inserts);
    }

    /// <summary>How long a run is that neither counts operations nor says.</summary>
    public static TimeSpan DefaultDuration { get; } = TimeSpan.FromSeconds(10);

    /// <summary>What results call the phase.</summary>
    public string Name { get; }

    /// <summary>What it belongs to in a scenario, or null.</summary>
    public string? Group { get; init; }

    /// <summary>Both, for messages and views.</summary>
    public string FullName => Group is null ? Name : $"{Group}, {Name}";

    /// <summary>Whether it writes every record once.</summary>
    public bool IsLoad { get; }

    /// <summary>The options as they were given.</summary>
    public PhaseOptions Options { get; }

    /// <summary>The options that were given, for results.</summary>
    public IReadOnlyDictionary<string, string> Given { get; set; } = new Dictionary<string, string>();

    /// <summary>How long to wait after it.</summary>
    public TimeSpan Pause { get; init; }

    /// <summary>What was published for it.</summary>
    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];

    /// <summary>How many records there are.</summary>
    public long Records { get; }

    /// <summary>How many operations to measure, or null.</summary>
    public long? Operations { get; }

    /// <summary>How long to measure, or null.</summary>
    public TimeSpan? Duration { get; }

    /// <summary>How long to send what does not count.</summary>
    public TimeSpan WarmUp { get; }

    /// <summary>Threads and connections.</summary>
    public ConnectionShare Share { get; }

    /// <summary>The operations.</summary>
    public OperationMix Mix { get; }

    /// <summary>The keys there are.</summary>
    public KeySpace Space { get; }

    /// <summary>How operations spread over them.</summary>
    public KeyDistribution Keys { get; }

    /// <summary>How they are written.</summary>
    public KeyForm Form { get; }

    /// <summary>How long values are.</summary>
    public ValueSize Size { get; }

    /// <summary>What is in them.</summary>
    public ValueContent Content { get; }

    /// <summary>Whether operations are due by a schedule.</summary>
    public bool IsOpenLoop => Options.Rate.Count > 0;

    /// <summary>Operations in flight on a connection, at most.</summary>
    public int InFlight => IsOpenLoop ? Options.MaxInFlight ?? DefaultInFlight : Options.Pipeline;

    /// <summary>What keeps it from being run, or null.</summary>
    public string? Problem()
    {
        if (Options.Verify && Mix.Operations.FirstOrDefault(operation => !operation.Command.CanVerify) is { } stranger)
        {
            return $"--verify: what {stranger.Name} reads or leaves is not compared; what get, rmw, set, mset, multi and "
                + "evalsha do is";
        }

        if (!IsLoad && Options.Expiry is not null && PhaseMix.Everlasting(Options) is { } lasting)
            return $"--expiry: {lasting} cannot say how long what it writes lives; set, update, insert, rmw and multi can";
        return Keys.Problem(Space) is { } problem ? $"--keys {PhaseMix.KeysOf(Options)}: {problem}" : null;
    }

    private static long Scaled(long count, double scale) => Math.Max(1, (long)Math.Round(count * scale));
}
