using System.Text;

namespace RedisLatency.Redis.Tests;

public sealed class ErrorReplyTests
{
    [Theory]
    [InlineData("MOVED 3999 127.0.0.1:6381", ErrorKind.Moved)]
    [InlineData("ASK 3999 127.0.0.1:6381", ErrorKind.Ask)]
    [InlineData("READONLY You can't write against a read only replica.", ErrorKind.ReadOnly)]
    [InlineData("NOSCRIPT No matching script.", ErrorKind.NoScript)]
    [InlineData("LOADING Redis is loading the dataset in memory", ErrorKind.Passing)]
    [InlineData("BUSY Redis is busy running a script.", ErrorKind.Passing)]
    [InlineData("TRYAGAIN Multiple keys request during rehashing of slot", ErrorKind.Passing)]
    [InlineData("CLUSTERDOWN Hash slot not served", ErrorKind.Passing)]
    [InlineData("CLUSTERDOWN", ErrorKind.Passing)]
    [InlineData("MASTERDOWN Link with MASTER is down", ErrorKind.Passing)]
    [InlineData("NOMASTERLINK Can't SYNC while not connected with my master", ErrorKind.Passing)]
    [InlineData("NOREPLICAS Not enough good replicas to write.", ErrorKind.Passing)]
    [InlineData("UNBLOCKED client unblocked via CLIENT UNBLOCK", ErrorKind.Passing)]
    [InlineData("OOM command not allowed when used memory > 'maxmemory'.", ErrorKind.Passing)]
    [InlineData("MISCONF Redis is configured to save RDB snapshots", ErrorKind.Passing)]
    [InlineData("CROSSSLOT Keys in request don't hash to the same slot", ErrorKind.Final)]
    [InlineData("BUSYKEY Target key name already exists.", ErrorKind.BusyKey)]
    [InlineData("BUSYGROUP Consumer Group name already exists", ErrorKind.Final)]
    [InlineData("MOVEDX 1 h:1", ErrorKind.Final)]
    [InlineData("loading", ErrorKind.Final)]
    [InlineData("ERR LOADING", ErrorKind.Final)]
    [InlineData("", ErrorKind.Final)]
    public void FirstWord_SaysWhetherAndWhereItMayBeSentAgain(string error, ErrorKind kind)
    {
        ErrorReply.KindOf(Encoding.UTF8.GetBytes(error)).ShouldBe(kind);
        new RedisServerException(error).Kind.ShouldBe(kind);
        new RedisServerException(error).IsTransient.ShouldBe(kind is ErrorKind.Passing or ErrorKind.ReadOnly);
    }
}
