using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Resp;

public sealed class ReplyScannerTests
{
    public static TheoryData<string, string, int, int, bool> Replies => new()
    {
        { "+OK\r\n", "OK", 1, 0, false },
        { "+\r\n", "", 1, 0, false },
        { "+PONG\r\n", "PONG", 1, 0, false },
        { "+O\r\n", "O", 1, 0, false },
        { "$5\r\nhello\r\n", "hello", 1, 0, false },
        { "$0\r\n\r\n", "", 1, 0, false },
        { "$4\r\n\r\n\r\n\r\n", "\r\n\r\n", 1, 0, false },
        { "$-1\r\n", "", 0, 1, false },
        { ":42\r\n", "42", 1, 0, false },
        { ":-1\r\n", "-1", 1, 0, false },
        { "_\r\n", "", 0, 1, false },
        { "#t\r\n", "t", 1, 0, false },
        { ",1.5\r\n", "1.5", 1, 0, false },
        { "(123456789012345678901234567890\r\n", "123456789012345678901234567890", 1, 0, false },
        { "=8\r\ntxt:text\r\n", "text", 1, 0, false },
        { "-LOADING Redis is loading\r\n", "LOADING Redis is loading", 0, 0, true },
        { "!9\r\nERR wrong\r\n", "ERR wrong", 0, 0, true },
        { "*3\r\n$1\r\na\r\n$-1\r\n$1\r\nb\r\n", "3", 2, 1, false },
        { "*-1\r\n", "-1", 0, 1, false },
        { "*0\r\n", "0", 0, 0, false },
        { "*2\r\n*2\r\n+a\r\n_\r\n%1\r\n+k\r\n:1\r\n", "2", 3, 1, false },
        { "*2\r\n+OK\r\n-WRONGTYPE not a string\r\n", "WRONGTYPE not a string", 1, 0, true },
        { "~2\r\n:1\r\n:2\r\n", "2", 2, 0, false },
        { "|1\r\n+ttl\r\n:3\r\n$2\r\nhi\r\n", "hi", 1, 0, false },
    };

    [Theory]
    [MemberData(nameof(Replies))]
    public void Reply_IsFound_HoweverItIsCut(string text, string content, int values, int nulls, bool hasError)
    {
        var bytes = Encoding.Latin1.GetBytes(text + "+next\r\n");
        var whole = text.Length;
        for (var cut = 1; cut <= whole; cut++)
        {
            var scanner = new ReplyScanner();
            if (cut < whole)
                scanner.TryRead(bytes.AsSpan(0, cut), out _).ShouldBeFalse();
            for (var more = cut + 1; more < whole; more++)
                scanner.TryRead(bytes.AsSpan(0, more), out _).ShouldBeFalse();

            scanner.TryRead(bytes, out var reply).ShouldBeTrue();
            reply.Length.ShouldBe(whole);
            Encoding.Latin1.GetString(bytes, reply.ContentStart, reply.ContentLength).ShouldBe(content);
            (reply.Values, reply.Nulls, reply.HasError).ShouldBe((values, nulls, hasError));
            scanner.TryRead(bytes.AsSpan(whole), out var next).ShouldBeTrue();
            next.Length.ShouldBe(7);
        }
    }

    [Theory]
    [InlineData("HTTP/1.1 200 OK\r\n")]
    [InlineData("$5\r\nhello!\r\n")]
    [InlineData(":12x\r\n")]
    [InlineData("+O\nK\r\n")]
    [InlineData("+O\n\r\n")]
    [InlineData("+\nO\r\n")]
    [InlineData("+O\r\r\n")]
    [InlineData("$99999999999\r\n")]
    public void WhatIsNoReply_IsRefused(string text) =>
        Should.Throw<RedisProtocolException>(() => new ReplyScanner().TryRead(Encoding.Latin1.GetBytes(text), out _));

    [Theory]
    [InlineData("+O\n\r\n")]
    [InlineData("+\nO\r\n")]
    [InlineData("+O\r\r\n")]
    public void WhatIsNoReply_IsNoneForTheReaderEither(string text) => Should.Throw<RedisProtocolException>(
        () => RespFeeding.Read(Encoding.Latin1.GetBytes(text), [text.Length]));

    [Fact]
    public void Reset_ForgetsTheReplyItWasIn()
    {
        var scanner = new ReplyScanner();
        scanner.TryRead("*3\r\n+a\r\n"u8, out _).ShouldBeFalse();

        scanner.Reset();

        scanner.TryRead("+OK\r\n"u8, out var reply).ShouldBeTrue();
        reply.Length.ShouldBe(5);
    }
}
