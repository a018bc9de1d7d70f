namespace RedisLatency.Redis.Resp;

/// <summary>
/// What a load generator asks of a reply: where it ends, whether it is an error or a null, and where its content lies.
/// </summary>
/// <param name="Type">The type of its first element.</param>
/// <param name="Length">All its bytes.</param>
/// <param name="ContentStart">
/// Where its content begins: a string's or number's bytes; an error's text, also where the error lies inside an
/// aggregate, as the reply to EXEC may hold.
/// </param>
/// <param name="ContentLength">How long the content is.</param>
/// <param name="Values">How many strings and numbers it holds that are no null; 1 for one that is no aggregate.</param>
/// <param name="Nulls">How many nulls it holds, or is.</param>
/// <param name="HasError">Whether it is an error or holds one.</param>
public readonly record struct ScannedReply(
    RespType Type, int Length, int ContentStart, int ContentLength, int Values, int Nulls, bool HasError);
