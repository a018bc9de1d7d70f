using System.Text;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class RedirectionTests
{
    [Theory]
    [InlineData("MOVED 3999 127.0.0.1:6381", ErrorKind.Moved, 3999, "127.0.0.1", 6381)]
    [InlineData("MOVED 0 cache-1.example.com:6379", ErrorKind.Moved, 0, "cache-1.example.com", 6379)]
    [InlineData("MOVED 16383 :65535", ErrorKind.Moved, 16383, "", 65535)]
    [InlineData("MOVED 3999 ?:6381", ErrorKind.Moved, 3999, "", 6381)]
    [InlineData("MOVED 3999 2001:db8::7:6381", ErrorKind.Moved, 3999, "2001:db8::7", 6381)]
    [InlineData("ASK 12182 ::1:7000", ErrorKind.Ask, 12182, "::1", 7000)]
    public void Place_IsRead(string error, ErrorKind kind, int slot, string host, int port)
    {
        Redirection.TryParse(Encoding.UTF8.GetBytes(error), out var redirection).ShouldBeTrue();

        redirection.Kind.ShouldBe(kind);
        redirection.Slot.ShouldBe(slot);
        Encoding.UTF8.GetString(redirection.Host).ShouldBe(host);
        redirection.Port.ShouldBe(port);
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("ERR unknown command")]
    [InlineData("TRYAGAIN Multiple keys request during rehashing of slot")]
    [InlineData("moved 1 h:1")]
    [InlineData("MOVEDX 1 h:1")]
    [InlineData("MOVED")]
    [InlineData("MOVED ")]
    [InlineData("MOVED 1")]
    [InlineData("MOVED 1 ")]
    [InlineData("MOVED 1 h")]
    [InlineData("MOVED 1 h:")]
    [InlineData("MOVED 1 h:0")]
    [InlineData("MOVED 1 h:65536")]
    [InlineData("MOVED 1 h:99999999999999999999")]
    [InlineData("MOVED 1 h:-1")]
    [InlineData("MOVED 1 h:+1")]
    [InlineData("MOVED 1 h:1x")]
    [InlineData("MOVED 16384 h:1")]
    [InlineData("MOVED -1 h:1")]
    [InlineData("MOVED +1 h:1")]
    [InlineData("MOVED x h:1")]
    [InlineData("MOVED  h:1")]
    [InlineData("MOVED 1 h :1")]
    [InlineData("ASK 1 h:1 extra")]
    public void Text_ThatIsNoRedirection_IsNone(string error)
    {
        Redirection.TryParse(Encoding.UTF8.GetBytes(error), out var redirection).ShouldBeFalse();

        redirection.Kind.ShouldBe(ErrorKind.None);
    }

    [Fact]
    public void Reading_DoesNotAllocate()
    {
        var error = "MOVED 3999 127.0.0.1:6381"u8.ToArray();
        var ports = Redirection.TryParse(error, out var first) ? first.Port : 0;

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            ports += Redirection.TryParse(error, out var redirection) ? redirection.Port : 0;

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        ports.ShouldBe(1001 * 6381);
    }
}
