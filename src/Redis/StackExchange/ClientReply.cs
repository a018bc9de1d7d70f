using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>What the client gave back for an operation.</summary>
public readonly struct ClientReply
{
    private readonly Driver.RedisValue _value;

    private ClientReply(ClientOutcome outcome, string? problem)
    {
        Outcome = outcome;
        Problem = problem;
    }

    private ClientReply(Driver.RedisValue value)
    {
        _value = value;
        Nulls = value.IsNull ? 1 : 0;
        Values = 1 - Nulls;
    }

    private ClientReply(Driver.RedisValue[] values)
    {
        _value = values.Length == 1 ? values[0] : Driver.RedisValue.Null;
        Nulls = values.Count(value => value.IsNull);
        Values = values.Length - Nulls;
    }

    /// <summary>What became of it.</summary>
    public ClientOutcome Outcome { get; }

    /// <summary>What went wrong, in the server's words or the client's; null where nothing did.</summary>
    public string? Problem { get; }

    /// <summary>Of a read: how many values are no null.</summary>
    public int Values { get; }

    /// <summary>Of a read: how many values are null.</summary>
    public int Nulls { get; }

    /// <summary>The same to a read of so many values; one that completed with another number is wrong.</summary>
    public ClientReply Of(int values) => Outcome != ClientOutcome.Completed || Values + Nulls == values
        ? this
        : new ClientReply(ClientOutcome.WrongKind, "the reply has another number of values than were asked for");

    internal static ClientReply Done => default;

    /// <summary>A reply of another kind the client takes for a write that was not done.</summary>
    internal static ClientReply DoneIf(bool isDone) =>
        isDone ? Done : new(ClientOutcome.WrongKind, "the client takes the reply to a write for one that says no");

    /// <summary>The bytes of a single value; empty where there is none.</summary>
    public ReadOnlySpan<byte> Value => (byte[]?)_value;

    internal static ClientReply Of(Driver.RedisValue value) => new(value);

    internal static ClientReply Of(Driver.RedisResult result)
    {
        if (result.IsNull)
            return new ClientReply(Driver.RedisValue.Null);
        try
        {
            return new ClientReply((Driver.RedisValue[]?)result ?? []);
        }
        catch (InvalidCastException)
        {
            // An array within an array.
            return new ClientReply((Driver.RedisValue)1);
        }
    }

    internal static ClientReply Of(Exception problem) => problem switch
    {
        Driver.RedisServerException => new(ClientOutcome.Error, problem.Message),
        Driver.RedisConnectionException
        {
            FailureType: Driver.ConnectionFailureType.UnableToResolvePhysicalConnection,
        } =>
            new(ClientOutcome.NotConnected, problem.Message),

        // No connection came within the client's limit, which calls it what kept the last one from coming.
        Driver.RedisConnectionException { CommandStatus: Driver.CommandStatus.WaitingInBacklog } =>
            new(ClientOutcome.TimedOut, problem.Message),
        // What came cannot be read as this command's reply.
        Driver.RedisConnectionException { FailureType: Driver.ConnectionFailureType.ProtocolFailure }
            or FormatException or InvalidCastException => new(ClientOutcome.WrongKind, problem.Message),
        Driver.RedisConnectionException or ObjectDisposedException or OperationCanceledException =>
            new(ClientOutcome.Lost, problem.Message),
        TimeoutException => new(ClientOutcome.TimedOut, problem.Message),
        _ => new(ClientOutcome.Refused, problem.Message),
    };
}

/// <summary>What became of an operation that was given to the client.</summary>
public enum ClientOutcome
{
    /// <summary>The server answered, and not with an error.</summary>
    Completed,

    /// <summary>The server answered with an error.</summary>
    Error,

    /// <summary>The reply is none that this command can have: another kind, or that it was not done.</summary>
    WrongKind,

    /// <summary>The client refused it, and nothing was sent: it cannot be done this way.</summary>
    Refused,

    /// <summary>Nothing was sent: there is no connection.</summary>
    NotConnected,

    /// <summary>The connection ended meanwhile; the server may have executed it.</summary>
    Lost,

    /// <summary>The client's own limit for the reply has passed.</summary>
    TimedOut,
}
