using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Messaging.Sending;
using RedisLatency.Reports.Values;

namespace RedisLatency.Producer;

internal sealed class ProducerOptions
{
    public TargetOptions Target { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();

    public TelemetryOptions Telemetry { get; } = new();

    public ClockOptions Clocks { get; } = new();

    public FleetOptions Fleet { get; } = new();

    /// <summary>The channel that messages are published to; null for the one that carries the run's name.</summary>
    public string? Channel { get; set; }

    /// <summary>The channel that echoes come back on; null for the one that carries the run's name.</summary>
    public string? ReplyChannel { get; set; }

    public PayloadForm Payload { get; set; } = PayloadForm.Frame;

    /// <summary>The length of payloads in bytes, beside the frame's header.</summary>
    public InclusiveRange<long> PayloadSize { get; set; } = new(0);

    /// <summary>Over all streams; 0 sends the next message when the last one has returned.</summary>
    public double Rate { get; set; } = 5_000;

    public Arrival Arrival { get; set; } = Arrival.Uniform;

    /// <summary>How many messages to measure, over all streams; null to measure for a time.</summary>
    public long? Iterations { get; set; }

    /// <summary>How long to measure; null where messages are counted.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long to warm up; null for the default of the loop.</summary>
    public WarmUpLimit? WarmUp { get; set; }

    public int Streams { get; set; } = 1;

    public int MaxInFlight { get; set; } = 10_000;

    public TimeSpan ReceiveDeadline { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Who answers; null for the first choice, unless another option is about a Consumer elsewhere.</summary>
    public ConsumerUse? Consumer { get; set; }

    public TimeSpan PeerTimeout { get; set; } = TimeSpan.FromSeconds(30);

    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    public bool BusyPoll { get; set; }

    /// <summary>The processor of the first stream's thread; the next streams take the next. Null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held for the run; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }

    public bool Floor { get; set; }

    public int Seed { get; set; } = 1;
}

/// <summary>How long to warm up: a time, or a number of messages.</summary>
internal readonly record struct WarmUpLimit(long? Messages, TimeSpan? Duration);

/// <summary>Reads <c>2s</c>, <c>500</c> or <c>0</c>.</summary>
internal static class WarmUpSyntax
{
    private static readonly ValueSyntax<long> Messages = Syntax.Count(0, 1_000_000_000_000_000, "messages");
    private static readonly ValueSyntax<TimeSpan> Time = Syntax.Duration(most: TimeSpan.FromDays(1));

    public static ValueSyntax<WarmUpLimit> Create() => new("DURATION|COUNT", Read, Write);

    private static ValueReading<WarmUpLimit> Read(string text)
    {
        var messages = Messages.Read(text);
        if (messages.Problem is null)
            return ValueReading.Of(new WarmUpLimit(messages.Value, null));
        var time = Time.Read(text);
        return time.Problem is null
            ? ValueReading.Of(new WarmUpLimit(null, time.Value))
            : ValueReading.Wrong<WarmUpLimit>("a time such as 2s is needed, or a number of messages");
    }

    private static string? Write(WarmUpLimit limit) =>
        limit.Messages is { } messages ? Messages.Write(messages) : Time.Write(limit.Duration!.Value);
}
