using RedisLatency.Redis.StackExchange;
using StackExchange.Redis;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class ClientReplyTests
{
    /// <summary>The client then throws what kept the connection from coming; nothing was sent that could be lost.</summary>
    [Theory]
    [InlineData(CommandStatus.WaitingInBacklog, ClientOutcome.TimedOut)]
    [InlineData(CommandStatus.Sent, ClientOutcome.Lost)]
    public void FailedConnection_IsATimeoutOfWhatOnlyWaitedForOne(CommandStatus status, ClientOutcome expected) =>
        ClientReply.Of(new RedisConnectionException(
            ConnectionFailureType.SocketClosed, CommandFlags.None, "away", null, status)).Outcome.ShouldBe(expected);
}
