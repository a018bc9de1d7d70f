using System.Text;
using RedisLatency.Redis;
using RedisLatency.Sync.Commands;

namespace RedisLatency.Sync.Tests.Commands;

public class CommandFramesTests
{
    private static readonly byte[] Stream =
        "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$4\r\n\r\n\r\n\r\n*1\r\n$4\r\nPING\r\n"u8.ToArray();

    [Fact]
    public void TryRead_OfAStreamThatIsCutAtEveryByte_FindsTheSameCommands()
    {
        for (var cut = 0; cut <= Stream.Length; cut++)
        {
            var frames = new CommandFrames();
            var found = new List<string>();
            var start = 0;
            foreach (var end in new[] { cut, Stream.Length })
            {
                while (frames.TryRead(Stream.AsSpan(start, end - start), out var frame))
                {
                    var text = frame.ToArray();
                    found.AddRange(frames.Words.ToArray().Select(
                        word => Encoding.ASCII.GetString(text, word.Start, word.Length)));
                    start += frame.Length;
                }
            }

            found.ShouldBe(["SET", "a", "\r\n\r\n", "PING"], $"cut at {cut}");
        }
    }

    [Theory]
    [InlineData("+OK\r\n")]
    [InlineData("*0\r\n")]
    [InlineData("*-1\r\n")]
    [InlineData("*1\r\n:1\r\n")]
    [InlineData("*1\r\n$x\r\n")]
    [InlineData("*99999999999999999999\r\n", "'*' is missing, or not between 0 and")]
    [InlineData("*1\r\n$1\r\nabc\r\n")]
    [InlineData("*1\n$1\r\na\r\n")]
    [InlineData("*1\r\n$2147483647\r\na", "more than 2 GiB")]
    [InlineData("*2\r\n$1\r\na\r\n$2147483570\r\na", "more than 2 GiB")]
    public void TryRead_OfWhatIsNoCommand_SaysSo(string bytes, string problem = "command")
    {
        Action read = () => new CommandFrames().TryRead(Encoding.ASCII.GetBytes(bytes), out _);

        read.ShouldThrow<RedisProtocolException>().Message.ShouldContain(problem);
    }
}
